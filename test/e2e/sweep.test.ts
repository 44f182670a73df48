/** A sweep as a user meets it: killed, interrupted, resumed, in chunks; what comes out is what one left alone gives. */
import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { isTime, readSweepResults } from '../../engine/index.ts';
import type { SweepResults } from '../../engine/index.ts';
import { createSlurmStandIn } from '../setup/slurm.ts';
import type { SlurmBehaviour, SlurmStandIn } from '../setup/slurm.ts';

const BOOTSTRAP = new URL('../../app/cli/bootstrap.mjs', import.meta.url).pathname;
const CASES = 48;
const CYCLES = 24;

/** Over in two seconds with two processes: time enough to be killed in. */
const small = {
  version: 3,
  name: 'small',
  grid: { nx: 16, ny: 16 },
  model: { scheme: 'richtmyer', timeStep: 0.1, bathymetry: { kind: 'flat', depth: 1 } },
  truth: { initial: { kind: 'drops', count: 2, amplitude: [0.1, 0.3], width: 4 } },
  background: { initial: { kind: 'drops', count: 2, amplitude: [0.1, 0.3], width: 4 }, members: 6 },
  observations: [
    { name: 'gauges', variable: 'h', network: { kind: 'file', file: 'gauges.csv' }, errorStandardDeviation: 0.02 },
  ],
  methods: [{ kind: 'free-run' }, { kind: 'letkf', localisation: { halfWidth: 4 } }, { kind: 'enkf' }],
  experiment: { cycles: CYCLES, window: 1, spinup: 1 },
};
const gauges = Array.from({ length: CYCLES }, (_, cycle) =>
  [2, 6, 10, 14].map((x) => `${x},${2 + 4 * (cycle % 4)},${cycle + 1}`),
);
const definition = {
  version: 1,
  scenario: 'small.json',
  grid: {
    'methods[letkf].inflation': [1, 1.1, 1.2],
    'observations[0].errorStandardDeviation': [0.01, 0.02, 0.04, 0.08],
  },
  seeds: { from: 1, count: 4 },
};

interface Ending {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly errors: string;
}

let folder = '';
let whole: Ending | undefined;
/** Numbers of the undisturbed sweep, before anything is added to it. */
let numbers: unknown;
const at = (...path: string[]): string => join(folder, ...path);

function start(...words: readonly string[]): { readonly child: ChildProcess; readonly ended: Promise<Ending> } {
  const { npm_lifecycle_event: _script, ...env } = process.env;
  const child = spawn(process.execPath, [BOOTSTRAP, ...words], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let [stdout, errors] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<Ending>((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal, stdout, errors: errors.trim() }));
  });
  return { child, ended };
}

const SWEEP = ['sweep', 'sweep-of-small.json', '--backend', 'wasm', '--workers', '2', '--quiet'];

function sweep(out: string, ...more: readonly string[]): Promise<Ending> {
  return start(...SWEEP, '--out', out, ...more).ended;
}

function hashesIn(out: string): readonly string[] {
  const cases = at(out, 'cases');
  return existsSync(cases) ? readdirSync(cases).filter((name) => /^[0-9a-f]{32}$/.test(name)) : [];
}

async function untilDone(out: string, count: number): Promise<void> {
  await expect.poll(() => hashesIn(out).length, { timeout: 30_000, interval: 5 }).toBeGreaterThanOrEqual(count);
}

function resultsIn(out: string): SweepResults {
  return readSweepResults(readFileSync(at(out, 'sweep.json')), 'sweep.json');
}

/** All that a sweep has found but its times: results, and the rows of each case. */
function numbersOf(out: string): unknown {
  const { measures, cases, ...rest } = resultsIn(out);
  const kept = measures.map((measure) => !isTime(measure));
  const rows = hashesIn(out)
    .toSorted()
    .map((hash) => {
      const [head, ...lines] = readFileSync(at(out, 'cases', hash, 'diagnostics.csv'), 'utf8').split('\n');
      const names = head.split(',');
      return lines.map((line) => line.split(',').filter((_, column) => !names[column]?.startsWith('milliseconds_')));
    });
  return {
    ...rest,
    rows,
    cases: cases.map(({ methods, ...each }) => ({
      ...each,
      methods: methods.map(({ values, ...method }) => ({
        ...method,
        values: values.filter((_, index) => kept[index]),
      })),
    })),
  };
}

/** Processes that a process has started. */
function childrenOf({ pid }: ChildProcess): readonly number[] {
  const lines = execFileSync('ps', ['-A', '-o', 'ppid=,pid='], { encoding: 'utf8' }).trim().split('\n');
  return lines
    .map((line) => line.trim().split(/\s+/).map(Number))
    .flatMap(([parent, child]) => (parent === pid ? [child] : []));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-sweep-'));
  writeFileSync(at('small.json'), JSON.stringify(small));
  writeFileSync(at('gauges.csv'), `x,y,time\n${gauges.flat().join('\n')}\n`);
  writeFileSync(at('sweep-of-small.json'), JSON.stringify(definition));
  // The first start may have to build the bundle.
  await start('--version').ended;
  whole = await sweep('whole');
  numbers = numbersOf('whole');
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a sweep', () => {
  it('has every case', () => {
    expect(whole).toMatchObject({ code: 0, errors: '' });
    const { cases } = resultsIn('whole');
    expect(cases.filter(({ state }) => state === 'complete')).toHaveLength(CASES);
    expect(new Set(cases.map(({ hash }) => hash)).size).toBe(CASES);
  });

  it('that is killed twice and resumed gives the same bits as one that is left alone', async () => {
    for (const count of [1, CASES / 2]) {
      const { child, ended } = start(...SWEEP, '--out', 'killed');
      await untilDone('killed', count);
      const workers = childrenOf(child);
      expect(workers).toHaveLength(2);
      child.kill('SIGKILL');
      expect((await ended).signal).toBe('SIGKILL');
      expect(hashesIn('killed').length).toBeLessThan(CASES);
      // Nobody notifies the workers: they find that nobody waits any more.
      await expect.poll(() => workers.filter(isAlive), { timeout: 10_000, interval: 20 }).toEqual([]);
    }
    const before = hashesIn('killed').map((hash) => readFileSync(at('killed', 'cases', hash, 'case.json'), 'utf8'));
    expect(await sweep('killed', '--resume')).toMatchObject({ code: 0 });
    expect(numbersOf('killed')).toEqual(numbersOf('whole'));
    // What was done was not run again: its record has the times of then.
    const after = new Set(
      hashesIn('killed').map((hash) => readFileSync(at('killed', 'cases', hash, 'case.json'), 'utf8')),
    );
    expect(before.filter((record) => !after.has(record))).toEqual([]);
  });

  it('that is interrupted keeps what is complete, says how to continue, and continues', async () => {
    const { child, ended } = start(...SWEEP, '--out', 'interrupted');
    await untilDone('interrupted', 1);
    const workers = childrenOf(child);
    child.kill('SIGINT');
    const { code, errors } = await ended;
    expect(code).toBe(130);
    expect(errors).toMatch(
      /^stopping …\nstopped after \d+ of 48 cases; continue with:\n {2}npm run shoal -- sweep sweep-of-small\.json --backend wasm --workers 2 --quiet --resume --out interrupted$/,
    );
    expect(workers.filter(isAlive)).toEqual([]);
    const { cases } = resultsIn('interrupted');
    const complete = cases.filter(({ state }) => state === 'complete').map(({ hash }) => hash);
    expect(complete.toSorted()).toEqual(hashesIn('interrupted').toSorted());
    expect(complete.length).toBeLessThan(CASES);
    expect(readdirSync(at('interrupted')).filter((name) => name.endsWith('.lock'))).toEqual([]);
    expect(await sweep('interrupted', '--resume')).toMatchObject({ code: 0 });
    expect(numbersOf('interrupted')).toEqual(numbersOf('whole'));
  });

  it('in chunks, at the same time, gives the same, and its tables when they are collected', async () => {
    const parts = ['1/2', '2/2'].map((part) => sweep('chunks', '--workers', '1', '--chunk', part));
    expect((await Promise.all(parts)).map(({ code, errors }) => [code, errors])).toEqual([
      [0, ''],
      [0, ''],
    ]);
    expect(readdirSync(at('chunks')).toSorted()).toEqual(['cases', 'definition.json']);
    expect(await sweep('chunks', '--collect')).toMatchObject({ code: 0 });
    expect(numbersOf('chunks')).toEqual(numbersOf('whole'));
  });

  it('continues with more cases, and not with others', async () => {
    const [{ seeds, ...rest }, name] = [definition, 'other.json'];
    const words = ['sweep', name, '--backend', 'wasm', '--out', 'whole', '--quiet'];
    writeFileSync(at(name), JSON.stringify({ ...rest, seeds: { ...seeds, count: 3 } }));
    expect(await start(...words).ended).toMatchObject({
      code: 2,
      errors: expect.stringMatching(
        /^shoal: whole: holds another sweep: definition\.seeds\.count is 4 in the folder, 3 now; /,
      ),
    });
    writeFileSync(at(name), JSON.stringify({ ...rest, seeds: { ...seeds, count: 5 } }));
    const dry = await start(...words, '--dry-run', '--json').ended;
    expect(JSON.parse(dry.stdout)).toMatchObject({ cases: 60, done: CASES, folder: 'whole' });
    expect(await start(...words).ended).toMatchObject({ code: 0 });
    expect(resultsIn('whole').cases.filter(({ state }) => state === 'complete')).toHaveLength(60);
  });

  it('records what cannot be run, and runs it again when it is asked to', async () => {
    // A model that cannot take such a step; the other case can.
    const cases = [{ 'model.timeStep': 0.1 }, { 'model.timeStep': 5, 'truth.spinup': 500 }];
    writeFileSync(at('failing.json'), JSON.stringify({ version: 1, scenario: 'small.json', cases }));
    const words = ['sweep', 'failing.json', '--backend', 'wasm', '--out', 'failing', '--quiet', '--json'];
    const { code, stdout, errors } = await start(...words).ended;
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ cases: 2, done: 2, failed: 1, state: 'complete' });
    expect(errors).toMatch(/^shoal: 1 case failed: the spin-up of the truth: /);
    expect(resultsIn('failing').cases.map(({ state }) => state)).toEqual(['complete', 'failed']);
    expect(await start(...words, '--retry').ended).toMatchObject({ code: 1 });
  });

  it('is refused if there is none to continue with, and where the folder is of something else', async () => {
    expect(await sweep('nothing', '--resume')).toMatchObject({
      code: 2,
      errors: 'shoal: nothing: nothing to resume, there is no definition.json in it',
    });
    expect(existsSync(at('nothing'))).toBe(false);
    expect(await sweep('.')).toMatchObject({
      code: 2,
      errors: 'shoal: .: the folder is not empty and holds no sweep; name another by --out',
    });
  });
});

/** Puts a stand-in for Slurm before all else on the PATH. */
function standIn(name: string, behaviour: SlurmBehaviour): SlurmStandIn {
  mkdirSync(at(name));
  const slurm = createSlurmStandIn(at(name), behaviour);
  for (const [variable, value] of Object.entries(slurm.environment)) vi.stubEnv(variable, value);
  return slurm;
}

describe('a sweep through Slurm', () => {
  const SLURM = ['sweep', 'sweep-of-small.json', '--slurm', '--chunk-size', '12', '--slurm-option', 'cpus-per-task=1'];

  afterEach(() => vi.unstubAllEnvs());

  it('that loses tasks gives the same bits as one that is left alone', async () => {
    const slurm = standIn('losing', { tasks: { 1: ['TIMEOUT'], 3: ['NODE_FAIL'] } });
    const ending = await start(...SLURM, '--out', "it's lost").ended;
    expect(ending.code).toBe(0);
    expect(ending.errors).toContain('2 tasks lost: 1 out of time, 1 lost with their node');
    expect(slurm.submitted().map((script) => /--array=(.*)/.exec(script)?.[1])).toStrictEqual(['1-4', '1', '3']);
    expect(ending.stdout).toContain("sweep folder: it's lost");
    expect(numbersOf("it's lost")).toStrictEqual(numbers);
  });

  it('is cancelled by a second Ctrl-C, says how to continue, and continues', async () => {
    const slurm = standIn('cancelling', { tasks: { 1: ['hold'] } });
    const { child, ended } = start(...SLURM, '--out', 'cancelled');
    await untilDone('cancelled', 1);
    child.kill('SIGINT');
    // What comes sooner is the same signal twice, from the terminal and from a parent process.
    await sleep(1000);
    child.kill('SIGINT');
    const ending = await ended;
    expect(ending.code).toBe(130);
    expect(ending.errors).toContain('job 1 was cancelled; submit what is missing with:');
    expect(ending.errors).toContain('--slurm --chunk-size 12 --slurm-option cpus-per-task=1 --resume --out cancelled');
    const again = await start(...SLURM, '--out', 'cancelled', '--resume').ended;
    expect(again.code).toBe(0);
    expect(slurm.submitted()).toHaveLength(2);
    expect(numbersOf('cancelled')).toStrictEqual(numbers);
  });

  it('prints its script and submits nothing with --dry-run', async () => {
    const slurm = standIn('dry', {});
    const { code, stdout } = await start(...SLURM, '--out', 'dry-run', '--dry-run', '--slurm-option', 'account=ocean')
      .ended;
    expect(code).toBe(0);
    expect(stdout).toContain('#SBATCH --account=ocean\n');
    expect(stdout.trim().split('\n').at(-1)).toMatch(/^exec .* --chunk "\$SLURM_ARRAY_TASK_ID\/4"$/);
    expect(slurm.submitted()).toStrictEqual([]);
    expect(existsSync(at('dry-run'))).toBe(false);
  });

  it('says what is wrong with its options, and if there is no Slurm', async () => {
    vi.stubEnv('PATH', folder);
    expect(await start(...SLURM, '--out', 'none').ended).toMatchObject({
      code: 1,
      errors: expect.stringContaining('sbatch is not on the PATH'),
    });
    expect(await sweep('none', '--slurm-option', 'time=1')).toMatchObject({
      code: 2,
      errors: 'shoal: --slurm-option belongs to --slurm, which was not given',
    });
  });
});
