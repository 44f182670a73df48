/** The members of the ensembles on a ring, as the stage draws them: numbers of a checkpoint. */
import type { Checkpoint } from '../../../engine/index.ts';

/** More lines would be a band. */
export const MOST_MEMBERS = 24;

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
