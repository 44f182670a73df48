/** Copies of checkpoints, made between other tasks of the page. */
import type { Checkpoint } from '../../../engine/index.ts';
import { nextTask } from '../../page/render-pace.ts';

/** Numbers that are copied in one turn: 8 MiB. */
const PIECE = 2 ** 20;

/**
 * A checkpoint copied piece by piece, with turns of the page between: at once it would take longer than a hand waits for.
 *
 * @returns the same in memory of its own, which can be given away
 */
export async function copyCheckpoint(
  checkpoint: Checkpoint,
  turn: () => Promise<void> = nextTask,
  piece = PIECE,
): Promise<Checkpoint> {
  const arrays: Record<string, Float64Array> = {};
  let left = piece;
  for (const [name, values] of Object.entries(checkpoint.arrays)) {
    const copy = new Float64Array(values.length);
    for (let from = 0; from < values.length;) {
      if (left === 0) {
        await turn();
        left = piece;
      }
      const part = values.subarray(from, from + left);
      copy.set(part, from);
      from += part.length;
      left -= part.length;
    }
    arrays[name] = copy;
  }
  return { ...checkpoint, arrays };
}
