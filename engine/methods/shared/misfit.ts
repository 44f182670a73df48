/**
 * How far the innovations are from what a method expects of them, dᵀS⁻¹d with S = HPHᵀ + R: χ² of p degrees of freedom where S
 * is right. A filter that localises R has no one S; it is given the one of the tapered sample covariance with its half-width
 * and its inflation, C ∘ HPHᵀ + R, which is what the stochastic EnKF solves with. The sample covariance alone, without a taper,
 * would call every small ensemble overconfident: it has no variance in all the directions that its members lack.
 */
import { dotProduct } from '../../operators/dot-product/index.ts';
import { anomalies } from '../../operators/ensemble/index.ts';
import { choleskySolution } from '../../operators/cholesky-solution/index.ts';
import { observedEnsembleCovariance } from '../../operators/observed-ensemble/index.ts';
import type { Departures } from './departures.ts';
import type { MethodContext } from '../method.ts';
import type { Misfit } from './misfit-fields.ts';

/** Observations up to which the innovations are held against their whole covariance: the cost of a factorisation grows with their
 * third power. */
export const MAXIMUM_MISFIT_OBSERVATIONS = 1024;

export interface MisfitComputation extends Misfit {
  /** Queues the misfit of a forecast whose departures are computed. */
  compute(departures: Departures): void;
  dispose(): void;
}

/** @returns undefined if there are too many observations, or too few members */
export async function createMisfit(
  label: string,
  { backend, model, observations, members }: MethodContext,
  { halfWidth, inflation }: { readonly halfWidth: number; readonly inflation: number },
): Promise<MisfitComputation | undefined> {
  const { capacity, positionX, positionY } = observations;
  if (capacity > MAXIMUM_MISFIT_OBSERVATIONS || members < 2) return undefined;
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const geometry = { nx, ny, periodicX, periodicY, aspect: dy / dx, halfWidthCells: halfWidth / dx };
  const allocate = (name: string, length: number) => backend.allocate(`${label}.misfit.${name}`, 'real', length);
  const fields = {
    value: allocate('value', 1),
    mean: allocate('mean', capacity),
    observedAnomalies: allocate('observedAnomalies', members * capacity),
    matrix: allocate('matrix', capacity * capacity),
    weights: allocate('weights', capacity),
  };
  const status = backend.allocate(`${label}.misfit.status`, 'index', 1);
  const splitting = await backend.prepare(anomalies, { members, length: capacity });
  const covarying = await backend.prepare(observedEnsembleCovariance, {
    ...geometry,
    members,
    observations: capacity,
    inflation,
  });
  const solving = await backend.prepare(choleskySolution, { size: capacity, rightHandSides: 1 });
  const weighing = await backend.prepare(dotProduct, { length: capacity, factor: 1 });
  return {
    value: fields.value,
    status,
    compute({ inflatedEnsemble, scaled, inverseErrorStd }) {
      const { mean, observedAnomalies, matrix, weights, value } = fields;
      splitting.run({ ensemble: inflatedEnsemble, mean, anomalies: observedAnomalies });
      covarying.run({ observedAnomalies, inverseErrorStd, positionX, positionY, matrix });
      backend.copy(scaled, weights);
      solving.run({ matrix, solution: weights, status });
      weighing.run({ x: scaled, y: weights, result: value });
    },
    dispose() {
      for (const owned of [splitting, covarying, solving, weighing, status, ...Object.values(fields)]) owned.dispose();
    },
  };
}
