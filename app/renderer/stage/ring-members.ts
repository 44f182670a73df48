/** The members of the ensembles on a ring, for the cycle on screen: asked for as cycles come. */
import { computed, effect, signal, untracked } from '@preact/signals';
import type { Checkpoint } from '../../../engine/index.ts';
import type { RunController } from '../state/run-controller.ts';
import type { SessionState } from '../state/session-state.ts';

/** More lines would be a band. */
export const MOST_MEMBERS = 24;
/** Cycles whose members are kept, to go back to. */
const KEPT_CYCLES = 64;

/** States of members, [member][place], by method label; without methods of one state. */
export type RingMembers = ReadonlyMap<string, Float32Array>;

/** @returns an even choice of so many of a method's members, in their order */
function chosen(state: Float64Array, places: number): Float32Array {
  const count = state.length / places;
  const shown = Math.min(count, MOST_MEMBERS);
  const lines = new Float32Array(shown * places);
  for (let line = 0; line < shown; line++) {
    const member = Math.floor((line * count) / shown);
    lines.set(state.subarray(member * places, (member + 1) * places), line * places);
  }
  return lines;
}

/** @returns the members that a checkpoint of a ring has */
export function membersOf({ arrays }: Checkpoint, labels: readonly string[], places: number): RingMembers {
  return new Map(
    labels.flatMap((label) => {
      const state = arrays[`method.${label}`];
      return state && state.length >= 2 * places ? [[label, chosen(state, places)] as const] : [];
    }),
  );
}

export function createRingMembers(
  { cycle, info, newestCycle, runNumber, status }: SessionState,
  { checkpoint }: Pick<RunController, 'checkpoint'>,
) {
  /** By cycle, of the run on screen. */
  const known = signal<ReadonlyMap<number, RingMembers>>(new Map());
  let run = -1;

  let isAsking = false;

  /** Asks for those of the latest cycle, one cycle at a time: a run that is faster than its answers goes on without some. */
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
    /** Of the cycle on screen, where they are known. */
    members: computed<RingMembers | undefined>(() => known.value.get(cycle.value)),
    dispose,
  };
}

export type RingMemberState = ReturnType<typeof createRingMembers>;
