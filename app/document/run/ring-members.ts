/** The members of the ensembles on a ring, for the cycle on screen: asked for as cycles come. */
import { computed, effect, signal, untracked } from '@preact/signals';
import { membersOf, type RingMembers } from '../views/ring-member-data.ts';
import type { RunController } from './run-controller.ts';
import type { RunCourse } from './run-course.ts';

/** Cycles whose members are kept, to go back to. */
const KEPT_CYCLES = 64;

export function createRingMembers(
  { cycle, info, newestCycle, runNumber, status }: RunCourse,
  { checkpoint }: Pick<RunController, 'checkpoint'>,
) {
  /** By cycle, of the run on screen. */
  const known = signal<ReadonlyMap<number, RingMembers>>(new Map());
  let run = -1;

  let isAsking = false;

  /** Asks for those of the latest cycle, one cycle at a time: a run that is faster than its answers continues without some. */
  async function ask(): Promise<void> {
    if (isAsking) return;
    isAsking = true;
    const [of, running] = [run, info.peek()];
    // A run that has failed has none to give.
    const taken = await checkpoint().catch(() => undefined);
    isAsking = false;
    if (!taken || !running || of !== run) return;
    const asked = taken.cycle - 1;
    const labels = running.methods.map(({ label }) => label);
    const kept = [...known.peek()].filter(([each]) => each < asked).slice(1 - KEPT_CYCLES);
    known.value = new Map([...kept, [asked, membersOf(taken, labels, running.basin.nx)]]);
  }

  const dispose = effect(() => {
    const isRing = info.value?.basin.isRing === true;
    const isThere = status.value === 'ready' || status.value === 'ended';
    const [newest, now] = [newestCycle.value, runNumber.value];
    untracked(() => {
      if (run !== now) known.value = new Map();
      run = now;
      // A cycle that was gone back from may be computed otherwise.
      if (known.peek().size > 0 && Math.max(...known.peek().keys()) > newest) {
        known.value = new Map([...known.peek()].filter(([each]) => each <= newest));
      }
      if (isRing && isThere && newest >= 0 && !known.peek().has(newest)) void ask();
    });
  });

  return {
    /** Members of the cycle on screen, if they are known. */
    members: computed<RingMembers | undefined>(() => known.value.get(cycle.value)),
    dispose,
  };
}
