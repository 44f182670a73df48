/**
 * The square root of the localised covariance of an ensemble, β_e C ∘ X′X′ᵀ/(k − 1) = V Vᵀ, with a control of its own for every
 * member, the same for all variables [lorenc2003, buehner2005]:
 *
 *   V a = √β_e Σ_i X′_i ∘ (V_L a_i)/√(k − 1),   V_L V_Lᵀ = C.
 *
 * V_L = diag(s) F, and s is the same for every member: V = diag(s) X F with X the Schur products of the weighted anomalies.
 */
import type { RealField, Backend, Prepared } from '../../compute/backend.ts';
import type { Grid } from '../../models/index.ts';
import { separableConvolution2d, type Taps } from '../../operators/convolution/index.ts';
import { diagonal } from '../../operators/diagonal/index.ts';
import { anomalies } from '../../operators/ensemble/index.ts';
import { filterDeviation, recursiveFilter, recursiveFilterVariance } from '../../operators/recursive-filter/index.ts';
import { schurProduct } from '../../operators/schur-product/index.ts';
import type { ControlTransform } from '../covariances/index.ts';
import type { MethodContext } from '../method.ts';
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

export interface EnsembleTransform extends ControlTransform {
  /** F on the planes of all members, with V_L = diag(scale) F. */
  readonly localising: LocalisingFilter;
  /** √β_e/√(k − 1), which multiplies anomalies. */
  readonly factor: number;
  /** Work space for these planes, [members][y][x], free between two uses of V. */
  readonly planes: RealField;
  /** Queues X′ of an ensemble [members][length], about whose `mean` V is from now on. */
  take(ensemble: RealField, mean: RealField): void;
}

export interface EnsembleTransformSettings {
  readonly label: string;
  /** β_e, above 0. */
  readonly weight: number;
  /** L of C, metres. */
  readonly length: number;
  /** Work space for the weighted anomalies, [members][variable][y][x]: nobody else's from `take` to the last use of V. */
  readonly weighted: RealField;
}

export async function createEnsembleTransform(
  { backend, model, members }: MethodContext,
  { label, weight, length, weighted }: EnsembleTransformSettings,
): Promise<EnsembleTransform> {
  const { grid } = model;
  const cells = grid.nx * grid.ny;
  const variables = model.variables.length;
  const state = variables * cells;
  const filter = await createLocalisingFilter(backend, grid, members, length);
  const shape = { members, variables, cells };
  const combining = await backend.prepare(schurProduct, { ...shape, transpose: false });
  const dividing = await backend.prepare(schurProduct, { ...shape, transpose: true });
  const scaling = await backend.prepare(diagonal, { length: cells, batch: variables });
  const factor = Math.sqrt(weight / (members - 1));
  const splitting = await backend.prepare(anomalies, { members, length: state, factor });
  const fields = {
    scale: backend.allocate(`${label}.localisation`, 'real', cells),
    filtered: backend.allocate(`${label}.filtered`, 'real', members * cells),
    combined: backend.allocate(`${label}.combined`, 'real', state),
  };
  const { scale, filtered, combined } = fields;
  backend.write(scale, filter.scale);
  return {
    length: members * cells,
    localising: filter,
    factor,
    planes: filtered,
    take: (ensemble, mean) => splitting.run({ ensemble, mean, anomalies: weighted }),
    apply(control, increment) {
      filter.forward.run({ input: control, output: filtered });
      combining.run({ anomalies: weighted, input: filtered, output: combined });
      scaling.run({ scale, input: combined, output: increment });
    },
    applyAdjoint(increment, control) {
      scaling.run({ scale, input: increment, output: combined });
      dividing.run({ anomalies: weighted, input: combined, output: filtered });
      filter.adjoint.run({ input: filtered, output: control });
    },
    dispose() {
      const prepared = [filter.forward, filter.adjoint, combining, dividing, scaling, splitting];
      for (const owned of [...prepared, ...Object.values(fields)]) owned.dispose();
    },
  };
}
