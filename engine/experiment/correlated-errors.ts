/**
 * Correlated errors by the distance of their places: L n with L Lᵀ = C, n independent and standard normal, so that each has
 * the variance 1. The factor is made once for places that keep their distances; the numbers come from counted streams, on the host
 * in float64, the same for every backend.
 *
 * On a periodic axis the distance is to the nearest image. A correlation of such distances can be indefinite if it reaches round
 * the basin. It is then summed over all images instead, scaled to 1 at no distance: its spectrum is that of the correlation in
 * the plane at the basin's wavenumbers, which is positive (Poisson's summation), so that C is positive definite.
 */
import type { RandomStream } from '../random/stream.ts';

/** As the scenario has it. */
interface Correlation {
  /** Metres. */
  readonly length: number;
  readonly shape: 'exponential' | 'gaussian';
  /** Correlated share of the variance. */
  readonly share: number;
}

/** Places, metres. */
interface Places {
  readonly x: Float64Array;
  readonly y: Float64Array;
}

/** Lengths of the axes that are periodic, metres. */
interface Periods {
  readonly x: number | undefined;
  readonly y: number | undefined;
}

/** Draws errors of variance 1, one for each place. */
export type ErrorDraw = (stream: RandomStream) => Float64Array;

export interface CorrelatedErrors {
  /** Correlation of two errors of variance 1 a share of which is correlated: 1 of a place with itself. */
  readonly between: (a: number, b: number) => number;
  /** Draws what is correlated. */
  readonly draw: ErrorDraw;
}

/** Share of the variance that is independent in any case: without it a smooth correlation of near places cannot be factored. */
const NUGGET = 1e-8;

/** Lengths of a correlation beyond which an image adds less than the nugget. */
const REACH = { exponential: 20, gaussian: 7 } as const;

/** The correlation of two places by what lies between them, m. */
type ByOffset = (offsetX: number, offsetY: number) => number;

function byDistance({ length, shape }: Correlation): ByOffset {
  return (offsetX, offsetY) => {
    const ratio = Math.hypot(offsetX, offsetY) / length;
    return shape === 'exponential' ? Math.exp(-ratio) : Math.exp((-ratio * ratio) / 2);
  };
}

/** What is left of an offset towards the nearest image. */
function nearest(offset: number, period: number | undefined): number {
  return period === undefined ? offset : offset - period * Math.round(offset / period);
}

/** By the nearest image. */
function ofNearestImage(correlation: Correlation, periods: Periods): ByOffset {
  const at = byDistance(correlation);
  return (offsetX, offsetY) => at(nearest(offsetX, periods.x), nearest(offsetY, periods.y));
}

/** By all images that are within reach. */
function ofAllImages(correlation: Correlation, periods: Periods): ByOffset {
  const at = byDistance(correlation);
  const imagesAlong = (period: number | undefined): number[] => {
    if (period === undefined) return [0];
    const count = Math.ceil((REACH[correlation.shape] * correlation.length) / period);
    return Array.from({ length: 2 * count + 1 }, (_, index) => (index - count) * period);
  };
  const [along, across] = [imagesAlong(periods.x), imagesAlong(periods.y)];
  const sum = (offsetX: number, offsetY: number): number => {
    let total = 0;
    for (const x of along) for (const y of across) total += at(offsetX + x, offsetY + y);
    return total;
  };
  const whole = sum(0, 0);
  return (offsetX, offsetY) => sum(nearest(offsetX, periods.x), nearest(offsetY, periods.y)) / whole;
}

/** The lower Cholesky factor of a correlation matrix, row by row, and whether the matrix is positive definite. */
function factorOf({ x, y }: Places, at: ByOffset): { readonly rows: Float64Array[]; readonly isDefinite: boolean } {
  const rows: Float64Array[] = [];
  let isDefinite = true;
  for (let a = 0; a < x.length; a++) {
    const row = new Float64Array(a + 1);
    let left = 1;
    for (let b = 0; b < a; b++) {
      let sum = (1 - NUGGET) * at(x[a] - x[b], y[a] - y[b]);
      for (let k = 0; k < b; k++) sum -= row[k] * rows[b][k];
      row[b] = sum / rows[b][b];
      left -= row[b] ** 2;
    }
    // The nugget alone is the least that can be left; rounding takes some of it.
    isDefinite &&= left > NUGGET / 2;
    row[a] = Math.sqrt(Math.max(left, NUGGET));
    rows.push(row);
  }
  return { rows, isDefinite };
}

/** By the nearest image if C is positive definite so, else by all images. */
function correlationOf(places: Places, correlation: Correlation, periods: Periods) {
  const nearestAt = ofNearestImage(correlation, periods);
  const near = factorOf(places, nearestAt);
  const isPeriodic = periods.x !== undefined || periods.y !== undefined;
  if (near.isDefinite || !isPeriodic) return { at: nearestAt, rows: near.rows };
  const at = ofAllImages(correlation, periods);
  return { at, rows: factorOf(places, at).rows };
}

/** @param places where the errors are. @param periods of the basin */
export function createErrorCorrelation(places: Places, periods: Periods, correlation: Correlation): CorrelatedErrors {
  const { x, y } = places;
  const { at, rows } = correlationOf(places, correlation, periods);
  const { share } = correlation;
  return {
    between: (a, b) => (a === b ? 1 : share * (1 - NUGGET) * at(x[a] - x[b], y[a] - y[b])),
    draw(stream) {
      const independent = Float64Array.from(x, () => stream.normal());
      return Float64Array.from(rows, (row) => row.reduce((sum, weight, k) => sum + weight * independent[k], 0));
    },
  };
}
