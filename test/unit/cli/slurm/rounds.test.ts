/** What is submitted again of what was lost. */
import { describe, expect, it } from 'vitest';
import type { SubmittedJob, Round } from '../../../../app/cli/slurm/rounds.ts';
import { chunksOf, describeLosses, planRound } from '../../../../app/cli/slurm/rounds.ts';
import type { Loss, TaskState } from '../../../../app/cli/slurm/client.ts';

const request = { minutes: 10, mebibytes: 1000, cpus: 2, gres: '' };
const complete: TaskState = { kind: 'complete' };
const lost = (loss: Loss, exitCode?: number): TaskState => ({
  kind: 'lost',
  loss,
  ...(exitCode !== undefined && { exitCode }),
});

function roundOf(jobs: readonly Omit<SubmittedJob, 'request'>[], states: Readonly<Record<string, TaskState>>): Round {
  const submitted = jobs.map((job) => ({ ...job, request }));
  return planRound(chunksOf(submitted, new Map(Object.entries(states))));
}

describe('a round', () => {
  it('has nothing left where all is complete', () => {
    const round = roundOf([{ job: '1', chunks: [1, 2] }], { '1_1': complete, '1_2': complete });
    expect(round).toStrictEqual({ lost: [], cancelled: false, submissions: [], givenUp: [] });
  });

  it('submits what was lost as smaller arrays, with more time or memory where they ran out', () => {
    const {
      submissions,
      lost: all,
      cancelled,
    } = roundOf([{ job: '1', chunks: [1, 2, 3, 4, 5, 6] }], {
      '1_1': complete,
      '1_2': lost('time'),
      '1_3': lost('memory'),
      '1_4': lost('node'),
      '1_5': lost('cancelled'),
    });
    expect(cancelled).toBe(false);
    expect(submissions).toStrictEqual([
      { chunks: [2], request: { ...request, minutes: 20 }, retry: true },
      { chunks: [3], request: { ...request, mebibytes: 2000 }, retry: true },
      { chunks: [4, 5, 6], request, retry: true },
    ]);
    expect(describeLosses(all)).toBe(
      '1 out of time, 1 out of memory, 1 lost with their node, 1 cancelled, 1 forgotten by Slurm',
    );
  });

  it('judges a chunk by the latest job that has it', () => {
    const { submissions } = roundOf(
      [
        { job: '1', chunks: [1, 2] },
        { job: '2', chunks: [2] },
      ],
      { '1_1': complete, '1_2': lost('node'), '2_2': complete },
    );
    expect(submissions).toStrictEqual([]);
  });

  it('gives a chunk up after three tries', () => {
    const jobs = ['1', '2', '3'].map((job) => ({ job, chunks: [4] }));
    const { submissions, givenUp } = roundOf(jobs, { '3_4': lost('failed', 1) });
    expect(submissions).toStrictEqual([]);
    expect(givenUp).toMatchObject([{ chunk: 4, job: '3', tries: 3, loss: 'failed' }]);
  });

  it('gives a chunk up at once that was refused as bad input', () => {
    const { submissions, givenUp } = roundOf([{ job: '1', chunks: [1, 2] }], {
      '1_1': lost('failed', 2),
      '1_2': lost('failed', 1),
    });
    expect(submissions.map(({ chunks }) => chunks)).toStrictEqual([[2]]);
    expect(givenUp.map(({ chunk }) => chunk)).toStrictEqual([1]);
  });

  it('lets a cancelled array be', () => {
    const round = roundOf([{ job: '1', chunks: [1, 2, 3] }], {
      '1_1': complete,
      '1_2': lost('cancelled'),
      '1_3': lost('cancelled'),
    });
    expect(round).toMatchObject({ cancelled: true, submissions: [], givenUp: [] });
  });
});
