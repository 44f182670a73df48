/** How far a sweep is: a bar on a terminal, like that of a run. */
import type { PlanProgress } from '../../../engine/index.ts';
import { createBar } from '../run/progress.ts';
import type { Terminal } from '../terminal.ts';
import type { Tally } from './tally.ts';

export interface SweepProgress {
  update(): void;
  end(): void;
}

/** @param total cases, of which those that the tally has already were done before */
export function createSweepProgress(terminal: Terminal, total: number, tally: Tally): SweepProgress {
  if (!terminal.showsProgress) return { update: () => undefined, end: () => undefined };
  const bar = createBar('{bar} {percentage} % | {value} of {total} cases | {ends} | ETA {eta_formatted}');
  const ends = (): string => `${(100 * tally.divergedShare).toFixed(0)} % diverged, ${tally.failed} failed`;
  bar.start(total, tally.done, { ends: ends() });
  return {
    update: () => bar.update(tally.done, { ends: ends() }),
    end: () => bar.stop(),
  };
}

/** A plan that takes less time than this has no bar. */
const QUIET_MS = 1000;
/** Between two updates of the bar of a plan. */
const UPDATE_MS = 100;

/**
 * Shows how many combinations of a plan are checked. A plan that takes long reports this on a terminal as a bar, elsewhere as one line.
 *
 * @param plan what to do, which receives the listener
 */
export async function withPlanProgress<Result>(
  terminal: Terminal,
  plan: (onProgress: PlanProgress) => Promise<Result>,
): Promise<Result> {
  const bar = createBar('{bar} {percentage} % | {value} of {total} combinations checked | ETA {eta_formatted}');
  let next = performance.now() + QUIET_MS;
  let isShown = false;
  try {
    return await plan((checked, total) => {
      if (performance.now() < next) return;
      next = performance.now() + UPDATE_MS;
      if (!isShown) terminal.note(`checking ${total} combinations of settings …`);
      if (!isShown && terminal.showsProgress) bar.start(total, checked);
      isShown = true;
      if (terminal.showsProgress) bar.update(checked);
    });
  } finally {
    bar.stop();
  }
}
