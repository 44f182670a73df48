/** V_L, whose square tapers an ensemble's covariance: unit variance everywhere, and exp(−r²/2L²) between two cells. */
import type { Backend, Prepared } from '../../compute/backend.ts';
import type { Grid } from '../../models/index.ts';
import { separableConvolution2d } from '../../operators/convolution/index.ts';
import type { Taps } from '../../operators/convolution/index.ts';
import { filterDeviation, recursiveFilter, recursiveFilterVariance } from '../../operators/recursive-filter/index.ts';
import { NO_LOCALISATION } from '../shared/localisation.ts';

/** Passes of the recursive filter: with four of them its square is round. */
export const LOCALISING_PASSES = 4;

type Filter = Prepared<{ input: 'real'; output: 'real' }>;

/** F on planes, V_L = diag(`scale`) F. */
export interface LocalisingFilter {
  readonly forward: Filter;
  readonly adjoint: Filter;
  /** [y][x] */
  readonly scale: Float64Array;
}

/** Taps that give every point of a line the mean over all of them. */
function averaging(cells: number): Taps {
  return { taps: new Float64Array(2 * cells - 1).fill(1 / cells), lower: cells - 1 };
}

/** Where everything varies alike: every point has the mean over all of them, which leaves one number to a plane. */
async function alike(backend: Backend, { nx, ny }: Grid, planes: number): Promise<LocalisingFilter> {
  const boundaries = { boundaryX: 'zero', boundaryY: 'zero' } as const;
  const parameters = { nx, ny, batch: planes, tapsX: averaging(nx), tapsY: averaging(ny), ...boundaries };
  return {
    forward: await backend.prepare(separableConvolution2d, { ...parameters, transpose: false }),
    adjoint: await backend.prepare(separableConvolution2d, { ...parameters, transpose: true }),
    scale: new Float64Array(nx * ny).fill(Math.sqrt(nx * ny)),
  };
}

/** @param length L, metres; `NO_LOCALISATION` for a taper of 1 between all cells */
export async function createLocalisingFilter(
  backend: Backend,
  grid: Grid,
  planes: number,
  length: number,
): Promise<LocalisingFilter> {
  if (length === NO_LOCALISATION) return alike(backend, grid, planes);
  const { nx, ny, dx, dy, periodicX, periodicY } = grid;
  const sigmaX = filterDeviation(length, dx, nx);
  const sigmaY = filterDeviation(length, dy, ny);
  const boundaryX = periodicX ? 'periodic' : 'free';
  const boundaryY = periodicY ? 'periodic' : 'free';
  const iterations = LOCALISING_PASSES;
  const ends = { boundaryX, boundaryY } as const;
  const parameters = { nx, ny, batch: planes, sigmaX, sigmaY, iterations, ...ends, form: 'auto' } as const;
  const alongX = recursiveFilterVariance(nx, sigmaX, iterations, boundaryX);
  // A ring is a signal, which is filtered along x alone.
  const alongY = ny === 1 ? Float64Array.of(1) : recursiveFilterVariance(ny, sigmaY, iterations, boundaryY);
  return {
    forward: await backend.prepare(recursiveFilter, { ...parameters, transpose: false }),
    adjoint: await backend.prepare(recursiveFilter, { ...parameters, transpose: true }),
    scale: Float64Array.from(
      { length: nx * ny },
      (_, cell) => 1 / Math.sqrt(alongX[cell % nx] * alongY[Math.floor(cell / nx)]),
    ),
  };
}
