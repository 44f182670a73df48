/**
 * The rows that a page keeps at hand, in bounded memory. The newest cycles are complete. Older ones lose their long lists (ranks
 * by spread, spectra, iterations), and the oldest are thinned to every second cycle, every fourth, and so on.
 */
import type { CycleDiagnostics } from '../../../engine/index.ts';

/** By method label, in cycle order. */
export type Rows = ReadonlyMap<string, readonly CycleDiagnostics[]>;

export interface KeptRows {
  readonly rows: Rows;
  /** Every so many cycles one is kept, beside the newest. */
  readonly stride: number;
}

/** The newest cycles, which are complete and not thinned. */
export const COMPLETE_CYCLES = 256;
/** Cycles that are kept at most, beside the newest. */
export const MOST_CYCLES = 2048;

export const NO_ROWS: KeptRows = { rows: new Map(), stride: 1 };

/** @returns a row without its long lists */
function slimRow(row: CycleDiagnostics): CycleDiagnostics {
  const { consistency, minimisation } = row;
  return {
    ...row,
    minimisation: minimisation && {
      ...minimisation,
      cost: minimisation.cost.slice(-1),
      backgroundCost: minimisation.backgroundCost.slice(-1),
      observationCost: minimisation.observationCost.slice(-1),
      residual: minimisation.residual.slice(-1),
      ritzValues: [],
    },
    consistency: consistency && { ...consistency, sampled: {}, spectra: undefined },
  };
}

function newestOf(rows: Rows): number {
  return Math.max(-1, ...[...rows.values()].map((each) => each.at(-1)?.cycle ?? -1));
}

/** Rows that have become old become slim once, when their cycle leaves the newest ones. */
function slimmed(rows: readonly CycleDiagnostics[], from: number, to: number): readonly CycleDiagnostics[] {
  return rows.map((row) => (row.cycle >= from && row.cycle < to ? slimRow(row) : row));
}

/** @returns the rows with others in place of those of the same cycles and later ones */
export function withRows({ rows: known, stride }: KeptRows, added: readonly CycleDiagnostics[]): KeptRows {
  if (added.length === 0) return { rows: known, stride };
  const before = newestOf(known);
  const next = new Map(known);
  for (const method of new Set(added.map((row) => row.method))) {
    const sorted = added.filter((row) => row.method === method).sort((a, b) => a.cycle - b.cycle);
    const kept = (next.get(method) ?? []).filter((each) => each.cycle < sorted[0].cycle);
    next.set(method, [...kept, ...sorted]);
  }
  return bounded({ rows: next, stride }, before);
}

/** @param before the newest cycle when it was bounded last */
function bounded({ rows, stride: known }: KeptRows, before: number): KeptRows {
  const newest = newestOf(rows);
  const complete = newest - COMPLETE_CYCLES + 1;
  let stride = known;
  while (Math.max(0, complete) / stride > MOST_CYCLES) stride *= 2;
  const isKept = ({ cycle }: CycleDiagnostics): boolean => cycle >= complete || cycle % stride === 0;
  const from = before - COMPLETE_CYCLES + 1;
  return {
    stride,
    rows: new Map([...rows].map(([label, list]) => [label, slimmed(list.filter(isKept), from, complete)])),
  };
}

/** @returns the rows with complete ones of some cycles in their place */
export function withComplete(rows: Rows, complete: readonly CycleDiagnostics[]): Rows {
  if (complete.length === 0) return rows;
  return new Map(
    [...rows].map(([label, list]) => {
      const own = complete.filter(({ method }) => method === label);
      const cycles = new Set(own.map(({ cycle }) => cycle));
      const others = list.filter(({ cycle }) => !cycles.has(cycle));
      return [label, [...others, ...own].sort((a, b) => a.cycle - b.cycle)];
    }),
  );
}

/**
 * The rows at every `stride`-th cycle, of which means are taken: the newest cycles would weigh more otherwise.
 *
 * @returns the rows numbered without gaps, as what follows cycles of a run expects them
 */
export function evenly(rows: Rows, stride: number): Rows {
  if (stride === 1) return rows;
  return new Map(
    [...rows].map(([label, list]) => [
      label,
      list.filter(({ cycle }) => cycle % stride === 0).map((row) => ({ ...row, cycle: row.cycle / stride })),
    ]),
  );
}

/** @returns the rows at every `stride`-th cycle, with their own numbers */
export function thinnedTo(rows: Rows, stride: number): Rows {
  if (stride === 1) return rows;
  return new Map([...rows].map(([label, list]) => [label, list.filter(({ cycle }) => cycle % stride === 0)]));
}
