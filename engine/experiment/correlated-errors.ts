/**
 * Errors that go together by the distance of their places: L n with L Lᵀ = C, n independent and standard normal, so that each has
 * the variance 1. The factor is made once for places that keep their distances; the numbers come from counted streams, on the host
 * in float64, the same for every backend.
 */
import type { RandomStream } from '../random/stream.ts';

/** As the scenario has it. */
interface Correlation {
  /** Metres. */
  readonly length: number;
  readonly shape: 'exponential' | 'gaussian';
}

/** Of the variance that is independent all the same: without it a smooth correlation of near places cannot be factored. */
const NUGGET = 1e-8;

function correlationAt(distance: number, { length, shape }: Correlation): number {
  const ratio = distance / length;
  return shape === 'exponential' ? Math.exp(-ratio) : Math.exp((-ratio * ratio) / 2);
}

/** The lower Cholesky factor of a correlation matrix, row by row. */
function factorOf(count: number, distance: (a: number, b: number) => number, correlation: Correlation): Float64Array[] {
  const rows: Float64Array[] = [];
  for (let a = 0; a < count; a++) {
    const row = new Float64Array(a + 1);
    let left = 1;
    for (let b = 0; b < a; b++) {
      let sum = (1 - NUGGET) * correlationAt(distance(a, b), correlation);
      for (let k = 0; k < b; k++) sum -= row[k] * rows[b][k];
      row[b] = sum / rows[b][b];
      left -= row[b] ** 2;
    }
    row[a] = Math.sqrt(Math.max(left, NUGGET));
    rows.push(row);
  }
  return rows;
}

/**
 * Of errors of variance 1 a `share` of which goes together.
 *
 * @param distance between two places, m
 * @returns their correlation: 1 of a place with itself
 */
export function correlationBetween(
  share: number,
  distance: (a: number, b: number) => number,
  correlation: Correlation,
): (a: number, b: number) => number {
  return (a, b) => (a === b ? 1 : share * (1 - NUGGET) * correlationAt(distance(a, b), correlation));
}

/** Draws errors of variance 1, one for each place. */
export type ErrorDraw = (stream: RandomStream) => Float64Array;

/**
 * @param count of places
 * @param distance between two of them, m
 */
export function createErrorDraw(
  count: number,
  distance: (a: number, b: number) => number,
  correlation: Correlation,
): ErrorDraw {
  const rows = factorOf(count, distance, correlation);
  return (stream) => {
    const independent = Float64Array.from({ length: count }, () => stream.normal());
    return Float64Array.from(rows, (row) => row.reduce((sum, weight, k) => sum + weight * independent[k], 0));
  };
}
