/** Continues to a later cycle: as fast as it is computed, shown as long work that can be stopped. */
import type { ReadonlySignal } from '@preact/signals';
import type { LongWorkHandle, Progress } from '../../page/notices.ts';
import type { RunStatus, RunCourse } from './run-course.ts';

/** Resolves when the run is not being prepared, with its state at that time. */
export function prepared(status: ReadonlySignal<RunStatus>): Promise<RunStatus> {
  if (status.value !== 'opening') return Promise.resolve(status.value);
  return new Promise((resolve) => {
    const end = status.subscribe((now) => {
      if (now === 'opening') return;
      // The first call comes before `end` is there, while it is still opening.
      end();
      resolve(now);
    });
  });
}

export interface ForwardStates {
  readonly course: Pick<
    RunCourse,
    'cycle' | 'followNewest' | 'newestCycle' | 'playing' | 'runNumber' | 'showCycle' | 'status'
  >;
  readonly progress: Pick<Progress, 'beginWork'>;
}

/**
 * @param wanted the cycle
 * @param compute computes one cycle; resolves to whether there is one more than before
 * @param isWanted whether nobody was sent elsewhere since: also back to the cycle from which it sets out, while that is the newest
 * @returns whether it is on screen; not where the run came to its end, was replaced, or the user stopped it, went elsewhere or
 *   let it play
 */
export async function goForward(
  wanted: number,
  { course, progress: { beginWork } }: ForwardStates,
  compute: () => Promise<boolean>,
  isWanted: () => boolean,
): Promise<boolean> {
  const { cycle, followNewest, newestCycle, playing, runNumber, showCycle, status } = course;
  const run = runNumber.value;
  let isStopped = false;
  let work: LongWorkHandle | undefined;
  /** Where it set out: what was there before takes no time that is still left. */
  const begun = newestCycle.value;
  const isFollowed = (): boolean => isWanted() && runNumber.value === run && followNewest.value && !playing.value;
  const goesOn = (): boolean => !isStopped && isFollowed();
  try {
    while (goesOn() && newestCycle.value < wanted) {
      if ((await prepared(status)) !== 'ready' || !goesOn()) break;
      work ??= beginWork(`Computing to cycle ${wanted}`, () => {
        isStopped = true;
      });
      const isOneMore = await compute();
      // What was lost continues in another run.
      if (!isOneMore && status.value !== 'opening') break;
      work.update((newestCycle.value - begun) / (wanted - begun));
      // Also the last one, if it was being computed when the user stopped it.
      if (isFollowed()) showCycle(newestCycle.value);
    }
  } finally {
    work?.end();
  }
  return runNumber.value === run && cycle.value === wanted;
}
