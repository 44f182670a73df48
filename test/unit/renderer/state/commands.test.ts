import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { setPath, validateScenario } from '../../../../engine/index.ts';
import { MENU_COMMANDS } from '../../../../app/main/menu.ts';
import { registerAppCommands } from '../../../../app/renderer/state/app-commands/index.ts';
import { commands, findCommand, registerCommands, runCommand } from '../../../../app/renderer/state/commands.ts';
import { commandLine, quoteWord } from '../../../../app/renderer/state/command-line.ts';
import { fuzzyFilter, fuzzyMatch } from '../../../../app/renderer/state/fuzzy.ts';
import { commandFor, matches, shownKeys } from '../../../../app/renderer/state/shortcuts.ts';
import type { Stroke } from '../../../../app/renderer/state/shortcuts.ts';
import { scenarioOf } from './fake-run.ts';

function stroke(key: string, held: Partial<Stroke> = {}): Stroke {
  return { key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...held };
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

describe('the commands of the window', () => {
  afterEach(() => {
    commands.value = [];
  });

  it('have ids and shortcuts of their own', () => {
    registerAppCommands();
    const ids = commands.value.map(({ id }) => id);
    const keys = commands.value.flatMap(({ shortcuts = [] }) => shortcuts);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(keys).size).toBe(keys.length);
    expect(ids.length).toBeGreaterThan(30);
  });
});

it('the native menu names only commands that the page has', () => {
  registerAppCommands();
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
    expect(commandFor(stroke('x'), false)).toBe('on');
    expect(commandFor(stroke('y'), false)).toBeUndefined();
  });
});

describe('finding by letters', () => {
  it('needs every letter in order', () => {
    expect(fuzzyMatch('ofs', 'Open from file')).toBeUndefined();
    expect(fuzzyMatch('', 'Open')?.positions).toStrictEqual([]);
    expect(fuzzyMatch('zz', 'z')).toBeUndefined();
  });

  it('prefers the start of words, and letters in a row', () => {
    expect(fuzzyMatch('cs', 'discs Camera side')?.positions).toStrictEqual([6, 13]);
    expect(fuzzyMatch('side', 's i Camera side')?.positions).toStrictEqual([11, 12, 13, 14]);
  });

  it('sorts the best first and keeps the order of equals', () => {
    const found = fuzzyFilter('th', ['Show depth', 'Theme', 'Show error', 'Thaw'], (title) => ({ title }));
    expect(found.map(({ entry }) => entry)).toStrictEqual(['Theme', 'Thaw', 'Show depth']);
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
