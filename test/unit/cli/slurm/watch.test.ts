/** Watching tasks: how often Slurm is asked, and what is done while it gives no answer. */
import { describe, expect, it } from 'vitest';
import { SlurmError } from '../../../../app/cli/context.ts';
import type { TaskState } from '../../../../app/cli/slurm/client.ts';
import { watchTasks } from '../../../../app/cli/slurm/rounds.ts';

const running: TaskState = { kind: 'running' };
const complete: TaskState = { kind: 'complete' };
const pace = { shortest: 1, longest: 4 };
const tasks = [{ job: '7', chunks: [1, 2] }];

/** Slurm with its answers one after the other, the last one again and again. */
function answering(...answers: readonly (Readonly<Record<string, TaskState>> | SlurmError)[]) {
  let asked = 0;
  const heard: string[] = [];
  return {
    heard,
    get asked() {
      return asked;
    },
    watch: (signal = new AbortController().signal) =>
      watchTasks(
        {
          statesOf: async (jobs) => {
            expect(jobs).toStrictEqual(['7']);
            const answer = answers[Math.min(asked, answers.length - 1)];
            asked += 1;
            if (answer instanceof SlurmError) throw answer;
            return new Map(Object.entries(answer));
          },
        },
        tasks,
        {
          pace,
          signal,
          onAnswer: async (states) => void heard.push([...states.values()].map(({ kind }) => kind).join(' ')),
          onSilence: ({ message }) => void heard.push(message),
        },
      ),
  };
}

describe('watching tasks', () => {
  it('ends when all have ended', async () => {
    const slurm = answering(
      { '7_1': running },
      { '7_1': complete, '7_2': running },
      { '7_1': complete, '7_2': complete },
    );
    expect(await slurm.watch()).toStrictEqual(
      new Map([
        ['7_1', complete],
        ['7_2', complete],
      ]),
    );
    expect(slurm.heard).toStrictEqual(['running', 'complete running', 'complete complete']);
  });

  it('says once that there is no answer, and asks again', async () => {
    const silent = new SlurmError('squeue: Unable to contact slurm controller');
    const slurm = answering(silent, silent, { '7_1': running }, silent, { '7_1': complete, '7_2': complete });
    await slurm.watch();
    expect(slurm.heard).toStrictEqual([silent.message, 'running', silent.message, 'complete complete']);
  });

  it('gives up where no answer comes for long', async () => {
    const slurm = answering(new SlurmError('squeue: no answer'));
    await expect(slurm.watch()).rejects.toThrow('squeue: no answer');
    expect(slurm.asked).toBe(20);
  });

  it('takes a task for gone that Slurm does not know of in five answers', async () => {
    const slurm = answering({ '7_1': complete, '7_2': running }, { '7_1': complete });
    expect(await slurm.watch()).toStrictEqual(new Map([['7_1', complete]]));
    expect(slurm.asked).toBe(6);
  });

  it('ends at once on request, also while it waits for an answer', async () => {
    const leaving = new AbortController();
    const watched = watchTasks({ statesOf: () => new Promise(() => undefined) }, tasks, {
      pace,
      signal: leaving.signal,
      onAnswer: async () => undefined,
      onSilence: () => undefined,
    });
    leaving.abort();
    expect(await watched).toBeUndefined();
  });
});
