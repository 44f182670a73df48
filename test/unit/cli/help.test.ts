/** What the command line says of itself: examples that exist, the scenarios that ship, and the shells' scripts. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Command } from 'commander';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { completedCommands, completionScript } from '../../../app/cli/commands/completion.ts';
import { SHELLS } from '../../../app/cli/program/options.ts';
import type { CompletedCommand } from '../../../app/cli/commands/completion.ts';
import { npmBanner, EXAMPLES, helpAfter, createProgram } from '../../../app/cli/main.ts';
import { addMachine, addSweeps, addScenarios, addRuns } from '../../../app/cli/program/commands.ts';
import { addCommon } from '../../../app/cli/program/options.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');

function allCommands(): readonly CompletedCommand[] {
  const commands: Command[] = [];
  for (const addGroup of [addRuns, addScenarios, addSweeps, addMachine]) {
    addGroup((command) => void commands.push(addCommon(command)));
  }
  return completedCommands(commands);
}
const COMMANDS = allCommands();

/** @returns what a command prints */
async function printed(...words: readonly string[]): Promise<string> {
  let text = '';
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((piece) => {
    text += String(piece);
    return true;
  });
  try {
    await createProgram(words, { root: ROOT, bundleFolder: ROOT, launcher: ROOT }).run();
  } finally {
    spy.mockRestore();
  }
  return text;
}
afterEach(() => void vi.restoreAllMocks());

describe('--help', () => {
  it.each(COMMANDS.map(({ name, options }) => [name, options.flatMap(({ names }) => names)] as const))(
    '%s has examples of that command, with options that it has, and exit codes',
    (name, options) => {
      const examples = EXAMPLES[name] ?? [];
      expect(examples.length).toBeGreaterThan(0);
      for (const example of examples) {
        const own = example.split('&& shoal ').at(-1)?.split(' ') ?? [];
        expect(own[0]).toBe(name);
        const used = own.filter((word) => /^-{1,2}\w/.test(word));
        expect(used.filter((word) => !options.includes(word))).toEqual([]);
      }
      expect(helpAfter(name)).toMatch(/Examples:[^]*Exit codes:\n {2}0 {4}done[^]* 2 {4}bad usage/);
    },
  );
});

it('lists what ships, a line each', async () => {
  const lines = (await printed('list', '--quiet')).trim().split('\n');
  expect(lines).toContain('one-stone            One stone, nine gauges');
  expect(lines.at(-1)).toMatch(/^sweeps: .*first-light-letkf/);
  const { scenarios } = JSON.parse(await printed('list', '--json', '-q'));
  expect(scenarios[0]).toEqual({
    name: 'altimeter-tracks',
    title: expect.any(String),
    description: expect.any(String),
  });
});

it('validates a scenario that ships by its name', async () => {
  expect(await printed('validate', 'one-stone', '-q')).toBe('one-stone: valid\n');
});

describe('completion', () => {
  const scenarios = ['one-stone', 'first-light'];

  it.each(SHELLS)('has every command and option for %s', async (shell) => {
    const script = await printed('completion', shell);
    for (const { name, options } of COMMANDS) {
      expect(script).toContain(name);
      for (const { names } of options) expect(script).toContain(names[0].slice(2));
    }
  });

  it.skipIf(process.platform === 'win32')('works in bash', () => {
    const folder = mkdtempSync(join(tmpdir(), 'shoal-completion-'));
    const file = join(folder, 'shoal.bash');
    writeFileSync(file, completionScript('bash', COMMANDS, scenarios));
    const complete = (...words: readonly string[]): readonly string[] => {
      const line = `source "$0"; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _shoal; echo "\${COMPREPLY[*]}"`;
      const { stdout } = spawnSync('bash', ['-c', line, file, 'shoal', ...words], { encoding: 'utf8' });
      return stdout.trim().split(' ');
    };
    try {
      expect(complete('val')).toEqual(['validate']);
      expect(complete('run', 'o')).toEqual(['one-stone']);
      expect(complete('run', 'one-stone', '--backend', 'w')).toEqual(['webgpu', 'wasm']);
      expect(complete('run', '--see')).toEqual(['--seed', '--seeds']);
      expect(complete('run', '--out', '')).toEqual(['']);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

it('warns of npm’s lines before a document of JSON that is piped', () => {
  const npm = { npm_lifecycle_event: 'shoal', npm_config_loglevel: 'notice' };
  expect(npmBanner(['run', 'x', '--json'], npm, false)).toContain('npm run --silent shoal');
  expect(npmBanner(['run', 'x', '--json'], { ...npm, npm_config_loglevel: 'silent' }, false)).toBeUndefined();
  expect(npmBanner(['run', 'x', '--json'], {}, false)).toBeUndefined();
  expect(npmBanner(['run', 'x', '--json'], npm, true)).toBeUndefined();
  expect(npmBanner(['run', 'x'], npm, false)).toBeUndefined();
});
