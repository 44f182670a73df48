/** A checkpoint copied piece by piece, with turns of the page between: at once it would take longer than a hand waits for. */
import type { Checkpoint } from '../../../engine/index.ts';

/** Numbers that are copied in one turn: 8 MiB. */
const PIECE = 2 ** 20;

/** @returns the same in memory of its own, which can be given away */
export async function copyCheckpoint(
  checkpoint: Checkpoint,
  turn: () => Promise<void>,
  piece = PIECE,
): Promise<Checkpoint> {
  const arrays: Record<string, Float64Array> = {};
  for (const [name, values] of Object.entries(checkpoint.arrays)) {
    const copy = new Float64Array(values.length);
    for (let from = 0; from < values.length; from += piece) {
      copy.set(values.subarray(from, from + piece), from);
      if (from + piece < values.length) await turn();
    }
    arrays[name] = copy;
  }
  return { ...checkpoint, arrays };
}
