/**
 * Random smooth surfaces with the correlation exp(−r²/2L²): white noise under a filter of L/√2, whose square has the length L, over
 * the standard deviations that the filter gives it.
 */
import { filterDeviation } from './filter-deviation.ts';
import type { RecursiveFilterParameters } from './parameters.ts';
import { recursiveFilterVariance } from './variance.ts';

/** Passes: enough for a round, Gaussian correlation. */
const ITERATIONS = 8;

export interface SmoothSurfaceGrid {
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
}

export interface SmoothSurface {
  readonly filter: RecursiveFilterParameters;
  /** What the filter makes of the variance of white noise: the product of both in a cell. [nx] and [ny] */
  readonly varianceX: Float64Array;
  readonly varianceY: Float64Array;
}

/** @param length L, metres. @param batch surfaces that are filtered at once */
export function smoothSurfaceFilter(length: number, grid: SmoothSurfaceGrid, batch: number): SmoothSurface {
  const { nx, ny, dx, dy, periodicX, periodicY } = grid;
  const sigmaX = filterDeviation(length, dx, nx);
  const sigmaY = filterDeviation(length, dy, ny);
  const boundaryX = periodicX ? 'periodic' : 'free';
  const boundaryY = periodicY ? 'periodic' : 'free';
  const ends = { boundaryX, boundaryY } as const;
  return {
    filter: { nx, ny, batch, sigmaX, sigmaY, iterations: ITERATIONS, ...ends, form: 'auto', transpose: false },
    varianceX: recursiveFilterVariance(nx, sigmaX, ITERATIONS, boundaryX),
    varianceY: recursiveFilterVariance(ny, sigmaY, ITERATIONS, boundaryY),
  };
}
