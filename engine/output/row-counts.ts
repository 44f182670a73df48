/** Which rows of each method there are: they come cycle by cycle, none is omitted and none comes twice. */
import type { CycleDiagnostics } from '../experiment/index.ts';

/**
 * By method. One that was omitted half-way has fewer rows than the others; a run that continued without its first rows begins
 * later.
 */
export type RowCounts = Readonly<Record<string, { readonly first: number; readonly count: number }>>;

/** @returns the counts with one more row, or undefined when it is not the next of its method */
export function countRow(counts: RowCounts, { method, cycle }: CycleDiagnostics): RowCounts | undefined {
  const before = Object.hasOwn(counts, method) ? counts[method] : undefined;
  if (!before) return { ...counts, [method]: { first: cycle, count: 1 } };
  if (cycle !== before.first + before.count) return undefined;
  return { ...counts, [method]: { first: before.first, count: before.count + 1 } };
}

/** @returns why rows do not lead up to a cycle, or undefined when they do */
export function countsProblem(counts: RowCounts, cycle: number): string | undefined {
  const ends = Object.values(counts).map(({ first, count }) => first + count);
  if (ends.length === 0 || Math.max(...ends) === cycle) return undefined;
  return `its cycle is ${cycle}, but its rows end before cycle ${Math.max(...ends)}`;
}

/** @returns how found rows differ from those that were counted, or undefined when they do not */
export function countsDifference(found: RowCounts, counted: RowCounts): string | undefined {
  for (const method of new Set([...Object.keys(counted), ...Object.keys(found)])) {
    const [there, written] = [found, counted].map((counts) =>
      Object.hasOwn(counts, method) ? `${counts[method].count} from cycle ${counts[method].first}` : 'none',
    );
    if (there !== written) return `found rows of ${method}: ${there}; the checkpoint has ${written}`;
  }
  return undefined;
}
