/** A world that changes, and branches, run headless: the same bits twice, after an interruption, and as a run of their own. */
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BOOTSTRAP = new URL('../../app/cli/bootstrap.mjs', import.meta.url).pathname;

const changing = {
  version: 3,
  name: 'changing',
  seed: 5,
  grid: { nx: 16, ny: 12 },
  truth: { initial: { kind: 'drops', count: 1, width: 4 }, spinup: 1 },
  background: { initial: { kind: 'drops', count: 1, width: 4 }, members: 4 },
  observations: [{ name: 'gauges', network: { kind: 'regular', stride: [5, 5] } }],
  methods: [{ kind: 'free-run' }, { kind: '3dvar' }, { kind: 'letkf', localisation: { halfWidth: 2 }, inflation: 1.1 }],
  experiment: { cycles: 6, window: 0.5 },
  interventions: [
    { kind: 'island', cycle: 0, x: 11, y: 8, radius: 2, height: 1.2 },
    {
      kind: 'gauges',
      cycle: 1,
      add: [
        [2, 2.5],
        [7, 7],
      ],
      remove: [[5, 5]],
    },
    { kind: 'drop', cycle: 2, x: 4, y: 6, radius: 2, height: 0.2, seenBy: 'each' },
    { kind: 'setting', cycle: 4, path: 'methods[2].inflation', value: 1.3 },
  ],
  branches: [
    { cycle: 3, interventions: [{ kind: 'drop', cycle: 3, x: 4, y: 6, radius: 2, height: -0.2 }] },
    { name: 'as it was', cycle: 1 },
  ],
};

interface Ending {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

let folder = '';

function start(...args: readonly string[]) {
  const { npm_lifecycle_event: _script, ...env } = process.env;
  const child = spawn(process.execPath, [BOOTSTRAP, ...args], { cwd: folder, env });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const ended = new Promise<Ending>((resolve) => child.on('close', (code) => resolve({ code, stdout, stderr })));
  return { child, ended };
}

const shoal = (...args: readonly string[]): Promise<Ending> => start(...args).ended;
const textOf = (...path: readonly string[]): string => readFileSync(join(folder, ...path), 'utf8');
const recordOf = (name: string) => JSON.parse(textOf(name, 'run.json'));

/** The numbers of a run's cycles, without what the clock says. */
function rowsOf(name: string): string[][] {
  const [head, ...rows] = textOf(name, 'diagnostics.csv').trim().split('\n');
  const names = head.split(',');
  return rows.map((row) => row.split(',').filter((_, column) => !names[column].startsWith('milliseconds_')));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-world-'));
  writeFileSync(join(folder, 'changing.json'), JSON.stringify(changing));
  // The first start may have to build the bundle.
  await shoal('--version');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a world that changes', () => {
  it('is reported as it changes, and gives the same bits on any number of threads', async () => {
    const run = ['run', 'changing.json', '--backend', 'wasm'];
    const [one, two] = [
      await shoal(...run, '--threads', '1', '--out', 'one'),
      await shoal(...run, '--threads', '2', '--out', 'two'),
    ];
    expect([one.code, two.code]).toEqual([0, 0]);
    expect(one.stderr).toContain('cycle 1: 2 gauges added, 1 removed\n');
    expect(one.stderr).toContain('cycle 2: drop of 0.2 m at (4, 6), each its own\n');
    expect(one.stderr).toContain('cycle 4: letkf: inflation 1.1 → 1.3\n');
    expect(rowsOf('one')).toHaveLength(6 * 3);
    expect(rowsOf('two')).toEqual(rowsOf('one'));
  });

  it('is interrupted, and continues bit for bit', async () => {
    const late = { kind: 'gauges', cycle: 199, add: [[3.5, 3]] };
    const interventions = JSON.stringify([...changing.interventions, late]);
    const long = ['run', 'changing.json', '--backend', 'reference', '--quiet'];
    long.push('--set', 'experiment.cycles=200', '--set', `interventions=${interventions}`);
    const { child, ended } = start(...long, '--out', 'parts');
    await expect.poll(() => existsSync(join(folder, 'parts/run.json')), { timeout: 30_000, interval: 20 }).toBe(true);
    await sleep(500);
    child.kill('SIGINT');
    expect((await ended).code).toBe(130);
    expect(recordOf('parts').completedCycles).toBeLessThan(200);
    expect((await shoal(...long, '--out', 'parts', '--resume')).code).toBe(0);
    expect((await shoal(...long, '--out', 'whole')).code).toBe(0);
    expect(rowsOf('parts')).toEqual(rowsOf('whole'));
  });
});

describe('branches', () => {
  it('are run each into its folder, whose scenario repeats it', async () => {
    const quick = ['--backend', 'reference', '--quiet'];
    const { code, stdout } = await shoal('run', 'changing.json', '--branches', '--out', 'all', '--json', ...quick);
    expect(code).toBe(0);
    expect(readdirSync(join(folder, 'all')).sort()).toEqual(['branch-1', 'branch-2', 'main']);
    const documents = JSON.parse(stdout) as readonly { readonly branch: string | null; readonly folder: string }[];
    expect(documents.map(({ branch, folder: path }) => [branch, path])).toEqual([
      [null, 'all/main'],
      ['0.2 m of water taken at (4, 6), without the change after cycle 3', 'all/branch-1'],
      ['as it was', 'all/branch-2'],
    ]);
    // They are the main line up to their cycle, and another run from there on: three methods a cycle.
    const [main, taken] = [rowsOf('all/main'), rowsOf('all/branch-1')];
    expect(taken.slice(0, 9)).toEqual(main.slice(0, 9));
    expect(taken.slice(9, 12)).not.toEqual(main.slice(9, 12));

    expect((await shoal('run', 'changing.json', '--branch', '1', '--out', 'alone', ...quick)).code).toBe(0);
    writeFileSync(join(folder, 'branch.json'), JSON.stringify(recordOf('all/branch-1').scenario));
    expect((await shoal('run', 'branch.json', '--out', 'again', ...quick)).code).toBe(0);
    expect(rowsOf('alone')).toEqual(taken);
    expect(rowsOf('again')).toEqual(taken);
    const again = await shoal(
      'run',
      'changing.json',
      '--branches',
      '--out',
      'all',
      '--resume',
      '--backend',
      'reference',
    );
    expect(again.code).toBe(0);
    expect(again.stderr.match(/this run is complete, nothing is left to do/g)).toHaveLength(3);
  });

  it('are named by validate, and by who asks for another', async () => {
    const valid = await shoal('validate', 'changing.json');
    expect(valid.stdout).toBe(
      'changing.json: valid; branches: 0.2 m of water taken at (4, 6), without the change after cycle 3; as it was\n',
    );
    const wrong = await shoal('run', 'changing.json', '--branch', 'as it wos');
    expect(wrong).toEqual({
      code: 2,
      stdout: '',
      stderr:
        'shoal: --branch as it wos: the scenario has no such branch; it has 1 (0.2 m of water taken at (4, 6), without the change after cycle 3), 2 (as it was); did you mean as it was?\n',
    });
    const both = await shoal('run', 'changing.json', '--branch', '1', '--branches');
    expect([both.code, both.stderr]).toEqual([2, expect.stringContaining('--branches')]);
  });
});
