/**
 * The times of two ways of doing the same, on a machine that may be busy: short batches of the one and the other in turn, of
 * which the shortest count. Whatever else runs can only lengthen a batch, and it would have to lengthen all of one kind.
 */

export interface Interleaved {
  /** Milliseconds of one run. */
  readonly first: number;
  readonly second: number;
}

/** Does its work so many times. */
export type Runs = (count: number) => Promise<void>;

/** Long enough for a clock of a microsecond, and short enough to fit between two of whatever else runs. */
const BATCH_MILLISECONDS = 2;
const MOST_RUNS = 1024;

export interface InterleavedOptions {
  /** Batches of each, at least this long together, milliseconds; */
  readonly budgetMilliseconds: number;
  /** and at least so many. */
  readonly leastBatches: number;
  readonly now?: () => number;
}

export async function timeInterleaved(
  first: Runs,
  second: Runs,
  { budgetMilliseconds, leastBatches, now = () => performance.now() }: InterleavedOptions,
): Promise<Interleaved> {
  const timed = async (runs: Runs, count: number): Promise<number> => {
    const begin = now();
    await runs(count);
    return (now() - begin) / count;
  };
  /** Runs until a batch is long enough, which also warms up. */
  const sizeOf = async (runs: Runs): Promise<number> => {
    let count = 1;
    while (count < MOST_RUNS && (await timed(runs, count)) * count < BATCH_MILLISECONDS) count *= 2;
    return count;
  };
  const counts = [await sizeOf(first), await sizeOf(second)] as const;
  let least: Interleaved = { first: Infinity, second: Infinity };
  const begin = now();
  for (let batch = 0; batch < leastBatches || now() - begin < 2 * budgetMilliseconds; batch++) {
    least = {
      first: Math.min(least.first, await timed(first, counts[0])),
      second: Math.min(least.second, await timed(second, counts[1])),
    };
  }
  return least;
}
