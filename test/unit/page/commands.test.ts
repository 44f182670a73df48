import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setPath, validateScenario } from '../../../engine/index.ts';
import { MENU_COMMANDS } from '../../../app/main/menu.ts';
import { registerAppCommands } from '../../../app/shell/commands/index.ts';
import { commandLine, quoteWord } from '../../../app/document/run/command-line.ts';
import { fuzzyFinder } from '../../../app/shell/command-palette.tsx';
import { commandFor, matches, shownKeys } from '../../../app/page/commands.ts';
import type { Stroke } from '../../../app/page/commands.ts';
import { createRunView } from '../../../app/document/run-view.ts';
import { fakeRuns, scenarioOf } from '../document/run/fake-run.ts';
import { laboratoryOf } from './laboratory.ts';

const laboratory = laboratoryOf();
const { availableCommands, commands, findCommand, registerCommands, registerCommandSource, runCommand } =
  laboratory.commands;

function stroke(key: string, held: Partial<Stroke> = {}): Stroke {
  return { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held };
}

function run(): void {}

/** @returns the titles that are found */
function find(query: string, titles: readonly string[], more = ''): readonly string[] {
  return fuzzyFinder(titles, (title) => ({ title, more }))(query).map(({ entry }) => entry);
}

beforeEach(() => {
  commands.value = [];
});

describe('the registry', () => {
  it('runs what is known and can be run', () => {
    const run = vi.fn<() => void>();
    const withdraw = registerCommands([
      { id: 'a.on', group: 'File', title: 'On', run },
      { id: 'a.off', group: 'File', title: 'Off', run, enabled: () => false },
    ]);
    expect([runCommand('a.on'), runCommand('a.off'), runCommand('a.none')]).toStrictEqual([true, false, false]);
    expect(run).toHaveBeenCalledTimes(1);
    withdraw();
    expect(findCommand('a.on')).toBeUndefined();
  });

  it('replaces a command of the same id', () => {
    registerCommands([{ id: 'a', group: 'File', title: 'First', run: () => undefined }]);
    registerCommands([{ id: 'a', group: 'File', title: 'Second', run: () => undefined }]);
    expect(commands.value.map(({ title }) => title)).toStrictEqual(['Second']);
  });
});

describe('what depends on what is open', () => {
  it('is asked for again each time, and comes in the order of the groups', () => {
    let name = 'LETKF';
    registerCommands([
      { id: 'a', group: 'Help', title: 'Sheet', run },
      { id: 'b', group: 'Run', title: 'Play', run },
      { id: 'c', group: 'Run', title: 'Off', run, enabled: () => false },
    ]);
    const withdraw = registerCommandSource(() => [{ id: 'm', group: 'Methods', title: name, run }]);
    expect(availableCommands().map(({ title }) => title)).toStrictEqual(['Play', 'LETKF', 'Sheet']);
    name = 'EnKF';
    expect(availableCommands().map(({ title }) => title)).toStrictEqual(['Play', 'EnKF', 'Sheet']);
    withdraw();
    expect(availableCommands()).toHaveLength(2);
  });
});

describe('the commands of the window', () => {
  afterEach(() => {
    commands.value = [];
  });

  it('have ids and shortcuts of their own', () => {
    registerAppCommands(laboratory, createRunView(laboratory, fakeRuns().open));
    const ids = commands.value.map(({ id }) => id);
    const keys = commands.value.flatMap(({ shortcuts = [] }) => shortcuts);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(keys).size).toBe(keys.length);
    expect(ids.length).toBeGreaterThan(30);
  });
});

it('the native menu names only commands that the page has', () => {
  registerAppCommands(laboratory, createRunView(laboratory, fakeRuns().open));
  expect(MENU_COMMANDS.filter((id) => findCommand(id) === undefined)).toStrictEqual([]);
});

describe('shortcuts', () => {
  it.each([
    ['Mod+Z', stroke('z', { ctrlKey: true }), true],
    ['Mod+Z', stroke('Z', { ctrlKey: true, shiftKey: true }), false],
    ['Mod+Shift+Z', stroke('Z', { ctrlKey: true, shiftKey: true }), true],
    ['Space', stroke(' '), true],
    ['?', stroke('?', { shiftKey: true }), true],
    ['+', stroke('+', { shiftKey: true }), true],
    [',', stroke(',', { ctrlKey: true }), false],
    ['1', stroke('1', { altKey: true }), false],
    ['K', stroke('k', { metaKey: true }), false],
  ])('%s', (shortcut, pressed, expected) => {
    expect(matches(shortcut, pressed, false)).toBe(expected);
  });

  it('take the command key on a Mac', () => {
    expect(matches('Mod+K', stroke('k', { metaKey: true }), true)).toBe(true);
    expect(matches('Mod+K', stroke('k', { ctrlKey: true }), true)).toBe(false);
    expect(shownKeys('Mod+Shift+K', true)).toStrictEqual(['⌘', '⇧', 'K']);
    expect(shownKeys('Mod++', false)).toStrictEqual(['Ctrl', '+']);
  });

  it('pass over a command that cannot be run', () => {
    registerCommands([
      { id: 'off', group: 'Run', title: 'Off', shortcuts: ['X'], run: () => undefined, enabled: () => false },
      { id: 'on', group: 'Run', title: 'On', shortcuts: ['X'], run: () => undefined },
    ]);
    expect(commandFor(commands.value, stroke('x'), false)).toBe('on');
    expect(commandFor(commands.value, stroke('y'), false)).toBeUndefined();
  });
});

describe('finding by letters', () => {
  it('needs every letter', () => {
    expect(find('zz', ['z', 'Open'])).toStrictEqual([]);
    expect(find('', ['b', 'a'])).toStrictEqual(['b', 'a']);
    expect(find('ltm', ['Light theme', 'Dark theme'])).toStrictEqual(['Light theme']);
  });

  it('prefers the start, the start of words, and letters in a row', () => {
    expect(find('light', ['First light', 'Light theme'])[0]).toBe('Light theme');
    expect(find('inflation', ['Information', 'LETKF › Inflation'])).toStrictEqual(['LETKF › Inflation']);
    const [found] = fuzzyFinder(['Camera from the side'], (title) => ({ title, more: '' }))('side');
    expect(found.positions).toStrictEqual([16, 17, 18, 19]);
  });

  it('takes words in any order, and further words after those that are read', () => {
    expect(find('inflation letkf', ['LETKF › Inflation', 'EnKF › Inflation'])).toStrictEqual(['LETKF › Inflation']);
    const label = 'What figures and tables call the method; its kind if omitted. No two may be the same.';
    const titles = ['Methods › LETKF › Label', 'Methods › LETKF › Inflation'];
    expect(find('letkf inflation', titles, label)[0]).toBe('Methods › LETKF › Inflation');
    const entries = [
      { title: 'Seed', more: 'random numbers' },
      { title: 'Random', more: '' },
    ];
    expect(fuzzyFinder(entries, (entry) => entry)('random').map(({ entry }) => entry.title)).toStrictEqual([
      'Random',
      'Seed',
    ]);
  });

  it('finds the one that is meant among a thousand that are like it', () => {
    const titles = Array.from({ length: 1000 }, (_, n) => `Methods › LETKF ${n} › Localisation half-width`);
    const search = fuzzyFinder(titles, (title) => ({
      title,
      more: 'Half of the distance beyond which an observation',
    }));
    expect(search('localisation half')).toHaveLength(1000);
    expect(search('observation')).toHaveLength(1000);
    expect(search('letkf 733 half')[0].entry).toBe('Methods › LETKF 733 › Localisation half-width');
  });
});

describe('copy as command', () => {
  const origin = { name: 'first-light.json', kind: 'bundled' } as const;

  it('names what ships, and every setting that was changed', () => {
    const original = scenarioOf(4);
    const running = { ...original, seed: 9, title: 'Words alone', grid: { ...original.grid, nx: 8 } };
    expect(commandLine({ origin, original, running, backend: 'webgpu' })).toBe(
      'npm run shoal -- run first-light --set seed=9 --set grid.nx=8 --backend webgpu',
    );
  });

  it('gives the same scenario where a setting became one of another kind, or lost a key', () => {
    const before = { truth: { initial: { kind: 'drops', count: 3 } }, model: { scheme: 'central-upwind' } };
    const after = {
      truth: { initial: { kind: 'jet', count: 2 } },
      model: { scheme: 'central-upwind', coriolis: { f: 1e-4 } },
      methods: [{ kind: 'enkf' }, { kind: 'letkf', inflation: 1.2 }],
    };
    const running = scenarioOf(4, after);
    const line = commandLine({ origin, original: scenarioOf(4, before), running, backend: undefined });
    expect(line).not.toContain('undefined');
    let raw: unknown = JSON.parse(JSON.stringify(scenarioOf(4, before)));
    for (const [, quoted, plain] of line.matchAll(/--set (?:'([^']*)'|(\S+))/g)) {
      const assignment = quoted ?? plain;
      const equals = assignment.indexOf('=');
      raw = setPath(raw, assignment.slice(0, equals), assignment.slice(equals + 1));
    }
    expect(validateScenario(raw, 'test').scenario).toStrictEqual(running);
  });

  it('quotes what a shell would take apart', () => {
    expect(quoteWord("it's here")).toBe(String.raw`'it'\''s here'`);
    const original = scenarioOf(4);
    const line = commandLine({
      origin: { name: 'my run.json', kind: 'file' },
      original,
      running: original,
      backend: undefined,
    });
    expect(line).toBe("npm run shoal -- run 'my run.json'");
  });
});
