/** A run folder as a process leaves it: disks that are full, readers that are gone, signals, a second process, a lost place. */
import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { basin, travellingGauge } from './small-run.ts';

const BOOTSTRAP = new URL('../../app/cli/bootstrap.mjs', import.meta.url).pathname;
/** Kernels that know limits of files, and devices that are full. */
const isLinux = process.platform === 'linux';
const CYCLES = 60;
/** Cycles of a run that lasts long enough for a checkpoint, and to be interrupted. */
const LONG_CYCLES = 500;
const LONG = ['--set', `experiment.cycles=${LONG_CYCLES}`];

const small = {
  ...basin,
  observations: [travellingGauge],
  methods: [{ kind: 'free-run' }, { kind: 'letkf', localisation: { halfWidth: 2 }, inflation: 1.1 }],
  experiment: { cycles: CYCLES, window: 0.5, spinup: 1 },
};
const gauges = Array.from({ length: CYCLES }, (_, cycle) => `${2 + (cycle % 7)},4,${0.5 * (cycle + 1)}`);
const RUN = ['run', 'small.json', '--backend', 'reference', '--quiet'];

interface Ending {
  readonly code: number | null;
  readonly errors: string;
}

type Child = ChildProcessByStdio<null, Readable, Readable>;

let folder = '';
const at = (...path: string[]): string => join(folder, ...path);

/** @param before commands of a shell, in whose place the program then comes */
function start(args: readonly string[], { cwd = folder, before = '' } = {}): Child {
  const { npm_lifecycle_event: _script, ...env } = process.env;
  const line = [process.execPath, BOOTSTRAP, ...args];
  const [command, rest] =
    before === '' ? [line[0], line.slice(1)] : ['sh', ['-c', `${before} exec "$@"`, 'sh', ...line]];
  return spawn(command, rest, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

/** What the results of so small a run are warned of is no part of these tests. */
const REMARK = /^warning: \S+ is worse than the free run [^\n]*\n/gm;

function ending(child: Child): Promise<Ending> {
  let errors = '';
  child.stdout.on('data', () => undefined);
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  return new Promise((resolve) =>
    child.on('close', (code) => resolve({ code, errors: errors.replaceAll(REMARK, '').trim() })),
  );
}

function shoal(args: readonly string[], where = {}): Promise<Ending> {
  return ending(start(args, where));
}

async function untilBegun(name: string): Promise<void> {
  await expect.poll(() => existsSync(at(name, 'run.json')), { timeout: 30_000, interval: 20 }).toBe(true);
  await sleep(400);
}

function recordOf(name: string) {
  return JSON.parse(readFileSync(at(name, 'run.json'), 'utf8'));
}

/** The rows without what the clock says. */
function rowsOf(name: string): string[][] {
  const [head, ...rows] = readFileSync(at(name, 'diagnostics.csv'), 'utf8').split('\n');
  const names = head.split(',');
  expect(rows.pop()).toBe('');
  return rows.map((row) => row.split(',').filter((_, column) => !names[column].startsWith('milliseconds_')));
}

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shoal-folder-'));
  writeFileSync(at('small.json'), JSON.stringify(small));
  writeFileSync(at('gauges.csv'), `x,y,time\n${gauges.join('\n')}\n`);
  // The first start may have to build the bundle.
  await shoal(['--version']);
  await shoal([...RUN, '--out', 'whole']);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('a run', () => {
  it.skipIf(!isLinux)('that finds no room leaves whole files and its reason, and continues with room', async () => {
    const { code, errors } = await shoal([...RUN, '--out', 'full'], { before: 'ulimit -f 16;' });
    expect(code).toBe(1);
    expect(errors).toMatch(/^shoal: \S+full\/[\w.]+: cannot be written: the file would be too large$/);
    const reason = expect.stringContaining('would be too large');
    expect(recordOf('full')).toMatchObject({ state: 'failed', reason });
    const names = readdirSync(at('full'));
    expect(names.filter((name) => /partial|lock/.test(name))).toEqual([]);
    // There was no room for the first rows; half of them shall not be there.
    expect(names).not.toContain('diagnostics.csv');
    expect(await shoal([...RUN, '--out', 'full', '--resume'])).toEqual({ code: 0, errors: '' });
    expect(rowsOf('full')).toHaveLength(2 * CYCLES);
    expect(rowsOf('full')).toEqual(rowsOf('whole'));
  });

  it('continues when nobody reads what it says', async () => {
    const child = start([...RUN.filter((word) => word !== '--quiet'), '--out', 'unread']);
    child.stdout.destroy();
    child.stderr.destroy();
    const code = await new Promise((resolve) => child.on('exit', resolve));
    expect(code).toBe(0);
    expect(recordOf('unread').state).toBe('complete');
    expect(rowsOf('unread')).toEqual(rowsOf('whole'));
  });

  it.skipIf(!isLinux)('says in one line that its result was lost', async () => {
    const { code, errors } = await shoal([...RUN, '--out', 'lost'], { before: 'exec >/dev/full;' });
    expect(code).toBe(1);
    expect(errors).toMatch(/^shoal: the result was lost: standard output: .* no space is left on the device$/);
    expect(recordOf('lost').state).toBe('complete');
  });

  it('is killed, refused to a second process, closed with its terminal, and continues bit for bit', async () => {
    const parts = [...RUN, ...LONG, '--out', 'parts', '--resume'];
    const killed = start(parts.slice(0, -1));
    await untilBegun('parts');
    killed.kill('SIGKILL');
    await ending(killed);
    expect(readdirSync(at('parts')).some((name) => name.endsWith('.lock'))).toBe(true);
    // Its files are its own: those beside the scenario may go.
    rmSync(at('gauges.csv'));
    const resumed = start(parts);
    const closed = ending(resumed);
    await expect.poll(() => recordOf('parts').resumed.length, { timeout: 30_000, interval: 20 }).toBe(1);
    const second = await shoal(parts);
    expect(second.code).toBe(2);
    expect(second.errors).toMatch(
      /^shoal: \S+parts: process \d+ of \S+ is writing into it; wait for its end, or stop it$/,
    );
    await expect.poll(() => existsSync(at('parts/checkpoint.json')), { timeout: 30_000, interval: 20 }).toBe(true);
    resumed.kill('SIGHUP');
    expect((await closed).code).toBe(130);
    const { state, completedCycles } = recordOf('parts');
    expect(state).toBe('stopped');
    expect(JSON.parse(readFileSync(at('parts', 'checkpoint.json'), 'utf8')).cycle).toBe(completedCycles);
    writeFileSync(at('gauges.csv'), `x,y,time\n${gauges.slice(1).join('\n')}\n`);
    const other = await shoal(parts);
    expect(other).toEqual({
      code: 2,
      errors: 'shoal: gauges.csv: cannot be resumed: the run began with another content of this file',
    });
    writeFileSync(at('gauges.csv'), `x,y,time\n${gauges.join('\n')}\n`);
    expect(await shoal(parts)).toEqual({ code: 0, errors: '' });
    expect(await shoal([...RUN, ...LONG, '--out', 'unparted'])).toEqual({ code: 0, errors: '' });
    expect(rowsOf('parts')).toEqual(rowsOf('unparted'));
  });

  it('ends when its folder is removed, and continues when the place it is in is', async () => {
    const beside = readFileSync(at('gauges.csv'));
    // What an earlier try left.
    for (const name of ['place', 'absolute']) rmSync(at(name), { recursive: true, force: true });
    const stand = (out: string): Promise<Ending> => {
      mkdirSync(at('place'));
      writeFileSync(at('place/small.json'), JSON.stringify(small));
      writeFileSync(at('place/gauges.csv'), beside);
      return shoal([...RUN, ...LONG, '--out', out], { cwd: at('place') });
    };
    const lost = stand('run');
    await untilBegun('place/run');
    rmSync(at('place'), { recursive: true });
    const { code, errors } = await lost;
    // What it misses first is a copy of the scenario's file, or its own lock.
    expect([1, 2]).toContain(code);
    expect(errors).toMatch(/^shoal: \S+place\/run[^\n]*$/);
    const kept = stand(at('absolute'));
    // Its threads have begun, which look where they are.
    await expect.poll(() => existsSync(at('absolute/checkpoint.json')), { timeout: 30_000, interval: 20 }).toBe(true);
    rmSync(at('place'), { recursive: true });
    expect(await kept).toEqual({ code: 0, errors: '' });
    expect(rowsOf('absolute')).toHaveLength(2 * LONG_CYCLES);
  });
});
