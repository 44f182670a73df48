/** An array from submission to its end, on a Slurm that runs nothing and loses what it is set to. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { UsageError, describeFailure, createTerminal } from '../../../../app/cli/context.ts';
import { parseIndices } from '../../../../app/cli/slurm/client.ts';
import type { Slurm, Loss, TaskState } from '../../../../app/cli/slurm/client.ts';
import { executeOnSlurm } from '../../../../app/cli/slurm/execute.ts';
import type { ChunkedSweep, SlurmEnding } from '../../../../app/cli/slurm/execute.ts';

/** What happens to the tasks of a chunk, one try after the other; they are complete after the last. */
type Fates = Readonly<Record<number, readonly (Loss | 'hold')[]>>;

let folder = '';
let said = '';
let slurm: Slurm;
let submitted: string[] = [];

function createSlurm(fates: Fates): Slurm {
  const states = new Map<string, TaskState>();
  const tries = new Map<number, number>();
  submitted = [];
  return {
    async submit(path) {
      const script = readFileSync(path, 'utf8');
      const job = String(submitted.push(script));
      for (const chunk of parseIndices(/^#SBATCH --array=(.*)$/m.exec(script)?.[1] ?? '') ?? []) {
        const known = tries.get(chunk) ?? 0;
        tries.set(chunk, known + 1);
        const fate = fates[chunk]?.[known];
        const ended: TaskState = fate && fate !== 'hold' ? { kind: 'lost', loss: fate } : { kind: 'complete' };
        states.set(`${job}_${chunk}`, fate === 'hold' ? { kind: 'running' } : ended);
      }
      return job;
    },
    statesOf: async (jobs) => new Map([...states].filter(([key]) => jobs.includes(key.split('_')[0]))),
    async cancel(keys) {
      for (const key of keys) states.set(key, { kind: 'lost', loss: 'cancelled' });
    },
  };
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shoal slurm '));
  mkdirSync(join(folder, 'slurm'));
  slurm = createSlurm({});
  said = '';
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

function sweepOf(chunkCount: number): ChunkedSweep {
  return {
    name: 'test',
    folder,
    plan: 'of the test',
    retry: false,
    chunkCount,
    atOnce: undefined,
    request: { minutes: 5, mebibytes: 500, cpus: 1, gres: '' },
    others: [],
    command: ['shoal', 'sweep'],
  };
}

interface Execute {
  readonly resume?: boolean;
  readonly signal?: AbortSignal;
  readonly onShow?: () => void;
}

function execute(
  sweep: ChunkedSweep,
  { resume = false, signal = new AbortController().signal, onShow }: Execute = {},
): Promise<SlurmEnding> {
  const terminal = createTerminal({}, { write: () => undefined }, { write: (text) => (said += text) });
  const progress = { show: async () => onShow?.(), clear: () => undefined };
  return executeOnSlurm(terminal, slurm, sweep, { resume, signal, progress, pace: { shortest: 1, longest: 2 } });
}

/** The value of an option in each submitted script. */
function asked(option: string): (string | undefined)[] {
  return submitted.map((script) => new RegExp(`^#SBATCH --${option}=(.*)$`, 'm').exec(script)?.[1]);
}

describe('an array', () => {
  it('is submitted once if nothing goes wrong', async () => {
    expect(await execute(sweepOf(3))).toStrictEqual({ state: 'complete', jobs: [] });
    expect(asked('array')).toStrictEqual(['1-3']);
    expect(said).toBe('job 1: 3 tasks, each 00:05:00, 500 MiB, 1 core\n');
  });

  it('is submitted again as far as it was lost, with more of what ran out', async () => {
    slurm = createSlurm({ 1: ['time'], 3: ['node'], 4: ['memory', 'failed'] });
    expect((await execute(sweepOf(4))).state).toBe('complete');
    expect(asked('array')).toStrictEqual(['1-4', '1', '3', '4', '4']);
    expect(asked('time')).toStrictEqual(['00:05:00', '00:10:00', '00:05:00', '00:05:00', '00:05:00']);
    expect(asked('mem')).toStrictEqual(['500M', '500M', '500M', '1000M', '1000M']);
    expect(said).toContain('3 tasks lost: 1 out of time, 1 lost with their node, 1 out of memory\n');
    // Cases that failed in a task that was lost are tried again.
    expect(submitted.map((script) => script.includes('--retry'))).toStrictEqual([false, true, true, true, true]);
  });

  it('is given up where a chunk is lost three times, and says where to read why', async () => {
    slurm = createSlurm({ 2: ['failed', 'failed', 'failed'] });
    expect((await execute(sweepOf(2))).state).toBe('lost');
    expect(said).toContain(`1 task given up after 3 tries (1 failed), of chunk 2; see ${folder}/slurm/3_2.log\n`);
    // Whoever continues with it has looked into it: it is tried again.
    expect((await execute(sweepOf(2), { resume: true })).state).toBe('complete');
    expect(asked('array')).toStrictEqual(['1-2', '2', '2', '2']);
  });

  it('is not submitted again where it was cancelled, and continues with --resume', async () => {
    slurm = createSlurm({ 2: ['cancelled'], 3: ['cancelled'] });
    expect((await execute(sweepOf(3))).state).toBe('cancelled');
    await expect(execute(sweepOf(3))).rejects.toThrow(UsageError);
    expect((await execute(sweepOf(3), { resume: true })).state).toBe('complete');
    expect(asked('array')).toStrictEqual(['1-3', '2-3']);
  });

  it('is left while it runs, and found again', async () => {
    slurm = createSlurm({ 2: ['hold'] });
    const leaving = new AbortController();
    const left = await execute(sweepOf(2), { signal: leaving.signal, onShow: () => leaving.abort() });
    expect(left).toStrictEqual({ state: 'left', jobs: ['1'] });
    await expect(execute({ ...sweepOf(2), plan: 'another' }, { resume: true })).rejects.toThrow('scancel 1');
    // Cancelled by itself, it is no array that somebody wants ended: it is run again.
    const ending = await execute(sweepOf(2), { resume: true, onShow: () => void slurm.cancel(['1_2']) });
    expect(ending.state).toBe('complete');
    expect(asked('array')).toStrictEqual(['1-2', '2']);
    expect(said).toContain('continuing with job 1\n');
  });

  it('is left with those of its jobs that have not ended', async () => {
    slurm = createSlurm({ 2: ['node', 'hold'] });
    const leaving = new AbortController();
    const onShow = (): void => {
      if (submitted.length === 2) leaving.abort();
    };
    expect(await execute(sweepOf(2), { signal: leaving.signal, onShow })).toStrictEqual({
      state: 'left',
      jobs: ['2'],
    });
  });

  it('begins again where the sweep has become another, and nothing of the old one runs', async () => {
    await execute(sweepOf(2));
    expect((await execute({ ...sweepOf(3), plan: 'another' }, { resume: true })).state).toBe('complete');
    expect(asked('array')).toStrictEqual(['1-2', '1-3']);
  });

  it('asks for no less when it continues than what was not enough, and for what a user gives', async () => {
    slurm = createSlurm({ 1: ['time', 'time', 'time'] });
    expect((await execute(sweepOf(1))).state).toBe('lost');
    const sweep = { ...sweepOf(1), request: { minutes: 6, mebibytes: 4000, cpus: 8, gres: '' } };
    await execute(sweep, { resume: true });
    expect(asked('time')).toStrictEqual(['00:05:00', '00:10:00', '00:20:00', '00:40:00']);
    expect(asked('mem').at(-1)).toBe('4000M');
    expect(asked('cpus-per-task').at(-1)).toBe('8');
  });

  it.each([
    [{ chunks: '1-3' }, 'found 1-3, allowed: chunks from 1 to 2'],
    [{ chunks: 'some' }, 'indices as Slurm has them'],
    [{ job: 'none' }, 'jobs[0].job'],
  ])('refuses a record that is damaged, naming the place: %j', async (damage, message) => {
    const { request } = sweepOf(1);
    const jobs = [{ job: '1', chunks: '1-2', request, ...damage }];
    writeFileSync(
      join(folder, 'slurm', 'jobs.json'),
      JSON.stringify({ format: 1, plan: 'of the test', chunkCount: 2, jobs }),
    );
    const failure = await execute(sweepOf(2), { resume: true }).catch((error: unknown) => describeFailure(error));
    expect(failure).toMatchObject({ exitCode: 2, lines: [expect.stringContaining(message)] });
  });
});
