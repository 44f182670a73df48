/** Bad usage and bad input: each ends with exit code 2 and one line that names what was found and what is allowed. */
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeFailure } from '../../../app/cli/context.ts';
import { createProgram } from '../../../app/cli/main.ts';
import { MAXIMUM_SCENARIO_BYTES } from '../../../engine/index.ts';

const root = new URL('../../..', import.meta.url).pathname;
const here = process.cwd();
let folder = '';

function write(name: string, content: string | object): string {
  writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content));
  return name;
}

const small = {
  version: 3,
  name: 'small',
  grid: { nx: 12, ny: 10 },
  truth: { initial: { kind: 'drops', count: 1, width: 4 } },
  background: { initial: { kind: 'drops', count: 1, width: 4 }, members: 4 },
  observations: [{ name: 'gauges', variable: 'h', network: { kind: 'regular', stride: [3, 3] } }],
  methods: [{ kind: 'free-run' }, { kind: 'letkf', localisation: { halfWidth: 2 }, inflation: 1.1 }],
};

function withBed(file: string): object {
  return { ...small, model: { scheme: 'central-upwind', bathymetry: { kind: 'file', file } } };
}

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-bad-'));
  process.chdir(folder);
  write('small.json', small);
});

afterAll(() => {
  process.chdir(here);
  rmSync(folder, { recursive: true, force: true });
});

const bad: readonly (readonly [what: string, args: () => readonly string[], message: RegExp])[] = [
  ['an unknown command', () => ['rnu', 'x.json'], /unknown command 'rnu' \(did you mean run\?\)/],
  [
    'an unknown option',
    () => ['run', 'small.json', '--bakend', 'webgpu'],
    /unknown option '--bakend' \(did you mean --backend\?\)/,
  ],
  ['a missing argument', () => ['run'], /missing required argument 'scenario\.json'/],
  ['an argument too many', () => ['schema', 'x'], /too many arguments/],
  [
    'an unknown backend',
    () => ['run', 'small.json', '--backend', 'cuda'],
    /'cuda' is invalid\. Allowed choices are auto, webgpu, wasm, reference/,
  ],
  ['a seed that is no number', () => ['run', 'small.json', '--seed', '1.5'], /--seed.*whole number/],
  [
    'one of several seeds',
    () => ['run', 'small.json', '--seeds', '1'],
    /--seeds.* Found 1 seed, two or more are needed/,
  ],
  [
    'several seeds beside one',
    () => ['run', 'small.json', '--seeds', '3', '--seed', '4'],
    /'--seeds <seeds>' cannot be used with option '--seed <number>'/,
  ],
  [
    'states of several seeds',
    () => ['run', 'small.json', '--seeds', '3', '--fields', 'mean'],
    /'--seeds <seeds>' cannot be used with option '--fields <what>'/,
  ],
  [
    'a seed that is set beside several',
    () => ['run', 'small.json', '--seeds', '3', '--set', 'seed=4'],
    /^--set seed=4: the seeds are those of --seeds/,
  ],
  ['processes of a single run', () => ['run', 'small.json', '--workers', '2'], /^--workers belongs to --seeds/],
  ['one run to compare', () => ['compare', 'a-run'], /^a-run: one run folder, two or more are needed/],
  ['a run to compare that is not there', () => ['compare', 'a-run', 'b-run'], /^a-run: there is no such folder/],
  ['a missing file', () => ['run', 'nope.json'], /nope\.json: there is no such file/],
  ['a file without a name', () => ['run', ''], /^'': there is no such file/],
  ['a folder', () => ['run', '.'], /^\.: is a folder/],
  [
    'a folder in place of an array',
    () => {
      mkdirSync(join(folder, 'bed.npy'), { recursive: true });
      return ['run', write('bed-folder.json', withBed('bed.npy'))];
    },
    /model\.bathymetry\.file: bed\.npy cannot be read: is a folder, a file is needed$/,
  ],
  [
    'an array of many gigabytes',
    () => {
      write('huge.npy', '');
      truncateSync(join(folder, 'huge.npy'), 2 ** 40);
      return ['run', write('bed-huge.json', withBed('huge.npy'))];
    },
    /huge\.npy cannot be read: found 1099511627776 bytes, allowed: \d+$/,
  ],
  ['an empty file', () => ['run', write('empty.json', '')], /empty\.json: the file is empty/],
  ['broken JSON', () => ['run', write('broken.json', '{"version": 3,\n "name": }')], /broken\.json:2:10: /],
  [
    'an unknown key',
    () => ['run', write('key.json', { ...small, gird: {} })],
    /key\.json:1:\d+: gird: .*did you mean "grid"\?/,
  ],
  [
    'a wrong type',
    () => ['run', write('type.json', { ...small, grid: { nx: 'ten' } })],
    /grid\.nx: found "ten", allowed: a whole number/,
  ],
  [
    'a value out of range',
    () => ['run', write('range.json', { ...small, grid: { nx: 1 } })],
    /grid\.nx: found 1, allowed:/,
  ],
  ['a wrong version', () => ['run', write('version.json', { ...small, version: 4 })], /version: found 4, allowed: 3/],
  [
    'a file above the limit',
    () => ['run', write('large.json', `{"title": "${'x'.repeat(MAXIMUM_SCENARIO_BYTES)}"}`)],
    /large\.json: found \d+ bytes, allowed: 4194304 \(4 MiB\)/,
  ],
  ['an unknown method', () => ['run', 'small.json', '--method', 'lektf'], /--method lektf: .*did you mean letkf\?/],
  [
    'a --set that is no assignment',
    () => ['run', 'small.json', '--set', 'grid.nx'],
    /--set grid\.nx: write path=value/,
  ],
  ['a --set of an unknown path', () => ['run', 'small.json', '--set', 'grid.nz=3'], /grid\.nz: unknown key/],
  ['a --set out of range', () => ['run', 'small.json', '--set', 'grid.nx=0'], /grid\.nx: found 0/],
  ['a folder that is not empty', () => ['run', 'small.json', '--out', '.'], /the folder is not empty/],
  ['nothing to resume', () => ['run', 'small.json', '--resume'], /nothing to resume/],
  ['a run folder without a run', () => ['run', 'small.json', '--resume', '--out', 'gone'], /gone: nothing to resume/],
  ['a bundle', () => ['run', 'small.shoal'], /small\.shoal: this is a bundle.*shoal reproduce/],
  ['a new file that exists', () => ['new', 'small.json'], /small\.json: exists already/],
  ['a scenario that does not ship', () => ['new', 'x.json', '--from', 'first-lihgt'], /did you mean first-light\?/],
];

it.each(bad)('%s', async (_what, args, message) => {
  const program = createProgram(args(), { root, bundleFolder: root, launcher: root });
  const failure: unknown = await program.run().catch((error: unknown) => error);
  const { lines, exitCode } = describeFailure(failure);
  expect(exitCode).toBe(2);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatch(message);
});
