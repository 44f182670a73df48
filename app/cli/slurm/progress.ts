/** How far a sweep is that runs elsewhere: finished cases by their folders, tasks as Slurm has them. */
import { createBar } from '../run/progress.ts';
import { storedHashes } from '../sweep/case-folders.ts';
import type { Terminal } from '../terminal.ts';
import type { SlurmProgress } from './execute.ts';
import type { TaskStates } from './task-states.ts';

/** @returns `3 running, 12 waiting (Resources)` */
function describeTasks(states: TaskStates): string {
  const all = [...states.values()];
  const waiting = all.filter((state) => state.kind === 'waiting');
  const running = all.filter(({ kind }) => kind === 'running').length;
  const reason = waiting.find((state) => state.reason !== '' && state.reason !== 'None')?.reason;
  const queued = waiting.length === 0 ? '' : `, ${waiting.length} waiting${reason === undefined ? '' : ` (${reason})`}`;
  return `${running} running${queued}`;
}

/** @param cases the folder of the sweep's cases. @param total cases of the sweep */
export function createSlurmProgress(terminal: Terminal, cases: string, total: number): SlurmProgress {
  if (!terminal.showsProgress) return { show: async () => undefined, clear: () => undefined };
  const bar = createBar('{bar} {percentage} % | {value} of {total} cases | tasks: {tasks} | ETA {eta_formatted}');
  let drawn = false;
  return {
    async show(states) {
      const done = (await storedHashes(cases)).size;
      if (!drawn) bar.start(total, done, { tasks: '' });
      drawn = true;
      bar.update(Math.min(total, done), { tasks: describeTasks(states) });
    },
    clear() {
      if (drawn) bar.stop();
      drawn = false;
    },
  };
}
