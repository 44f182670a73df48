/** What rows say of each other: how time grows with size, and how many times faster than one thread a row is. */
import type { BenchmarkRow, PublishedComparison } from './document.ts';
import { OVER_ONE_CORE } from './published/index.ts';

/** Cells a side to which a series is related. */
const BASE_SIZE = 256;

function isSameWork(a: BenchmarkRow, b: BenchmarkRow): boolean {
  return a.series !== null && a.series === b.series && a.backend === b.backend && a.threads === b.threads;
}

/** Time per cell over that of the same series at 256² cells. */
function growthOf(row: BenchmarkRow, rows: readonly BenchmarkRow[]): number | null {
  const base = rows.find((other) => isSameWork(row, other) && other.parameters['n'] === BASE_SIZE);
  return base?.nanosecondsPerCell && row.nanosecondsPerCell ? row.nanosecondsPerCell / base.nanosecondsPerCell : null;
}

function overOneThreadOf(row: BenchmarkRow, rows: readonly BenchmarkRow[]): BenchmarkRow['overOneThread'] {
  const oneThread = (backend: BenchmarkRow['backend']): number | null => {
    const found = rows.find((other) => other.name === row.name && other.backend === backend && other.threads === 1);
    return found ? found.milliseconds / row.milliseconds : null;
  };
  return { reference: oneThread('reference'), wasm: oneThread('wasm') };
}

function besideOneCore(published: PublishedComparison, ratio: number | null): PublishedComparison {
  if (published.unit !== OVER_ONE_CORE || ratio === null) return published;
  return { ...published, measured: ratio, ratio: ratio / published.value };
}

/**
 * @param rows of one process
 * @param isRatio whether the published figures of a benchmark are ratios to one core
 * @returns the rows with what they say of each other
 */
export function relateRows(
  rows: readonly BenchmarkRow[],
  isRatio: (benchmark: string) => boolean,
): readonly BenchmarkRow[] {
  return rows.map((row) => {
    const related = { ...row, growth: growthOf(row, rows) };
    if (!isRatio(row.name)) return related;
    const overOneThread = overOneThreadOf(row, rows);
    // One thread is what others are held to; it is not held to a GPU.
    const ratio = row.threads === 1 ? null : (overOneThread?.wasm ?? null);
    const beside = (published: PublishedComparison): PublishedComparison => besideOneCore(published, ratio);
    return {
      ...related,
      overOneThread,
      published: row.published && beside(row.published),
      otherPublished: row.otherPublished.map(beside),
    };
  });
}
