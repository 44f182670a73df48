/** What a map says: which cell is best, which are not significantly different from it, and whether the best is on the edge of what was tried. */
import type { SweepMeasure } from '../../../engine/index.ts';
import type { Cell, Combination, Span } from './cells.ts';
import { placeWords } from './arrangement.ts';
import { numericValues } from '../reading/sweep-table.ts';
import type { SweepTable, TableAxis } from '../reading/sweep-table.ts';
import { badness } from './worth.ts';

export interface Findings {
  /** Number of the combination with the best median; undefined if there is none, or where the measure knows no better. */
  readonly best: number | undefined;
  /** Others whose interval overlaps that of the best. */
  readonly alike: ReadonlySet<number>;
}

function overlap(a: Span, b: Span): boolean {
  return a.low <= b.high && b.low <= a.high;
}

/** @param cells by combination. One of which a run diverged is never the best, since its median is only of those that did not */
export function findingsOf({ best }: Pick<SweepMeasure, 'best'>, cells: readonly Cell[]): Findings {
  let found: number | undefined;
  let least = Infinity;
  if (best !== 'none') {
    for (const [number, { median, diverged }] of cells.entries()) {
      if (median === null || diverged > 0 || badness(best, median) >= least) continue;
      found = number;
      least = badness(best, median);
    }
  }
  const own = found === undefined ? null : cells[found].interval;
  const alike = new Set<number>();
  for (const [number, { diverged, interval }] of cells.entries()) {
    if (number !== found && diverged === 0 && own && interval && overlap(own, interval)) alike.add(number);
  }
  return { best: found, alike };
}

/** @returns whether a value is the first or the last of a list of numbers by size, and which */
function edgeOf(axis: Pick<TableAxis, 'values'>, at: number): 'smallest' | 'largest' | undefined {
  const values = numericValues(axis);
  if (!values || values.length < 2) return undefined;
  if (values[at] === Math.max(...values)) return 'largest';
  return values[at] === Math.min(...values) ? 'smallest' : undefined;
}

/** @returns a sentence where the best lies on the edge of the grid; empty where it does not */
export function edgeWords({ axes }: Pick<SweepTable, 'axes'>, { at }: Pick<Combination, 'at'>): string {
  const edges = axes.flatMap((axis, number) => {
    const edge = edgeOf(axis, at[number]);
    return edge === undefined ? [] : [`${placeWords({ axes }, at, [number])} is the ${edge} value`];
  });
  return edges.length === 0 ? '' : `The optimum may lie outside what was tried: ${edges.join(', ')}.`;
}
