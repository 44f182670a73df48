/**
 * Observations: where they are, what they see of the state, and how far the state is from them.
 *
 * - `observation`: H(x) of a whole ensemble, nonlinear where velocity is observed.
 * - `linearisation`: its scaled tangent linear R^−½H′ as a sparse matrix, for 3D-Var; `sparseProduct` and `sparseAdjoint` apply
 *   it, and any other sparse matrix.
 * - `columnScaling`: such a matrix times a diagonal one, in place.
 * - `tangentVariance`: H′ B H′ᵀ's diagonal from a covariance that is known at the observations' places.
 * - `measurement`: what instruments report of a truth.
 * - `innovation` and `believedInnovation`: d = y − H(x̄), of all observations or of those that are believed.
 * - `createObservationOperator` owns all of this for one network of a run, of which every cycle sets the observations.
 * - `createObservedInTime`: H of a state on its way, where some are observed before it is analysed.
 *
 * Host-side: `observedVariable` (the registry), `bilinearStencil` and `interpolation` (points to weights), and
 * `transposeStructure`.
 */
import type { Backend, RealField } from '../../compute/backend.ts';
import { perturbation } from '../ensemble/index.ts';
import type { ObservationOperator } from './observation-operator.ts';

export { believedInnovation, innovation, measurement, COVARIANCE_ENTRIES, tangentVariance } from './departure.ts';
export { bilinearStencil, interpolation, type InterpolationGrid } from './interpolation.ts';
export type { LinearisedOperator } from './linearised-operator.ts';
export { createObservationOperator } from './observation-operator.ts';
export type { ObservationOperator, Observations, ObservedModel } from './observation-operator.ts';
export {
  linearisation,
  observation,
  isLinearlyObserved,
  observedVariable,
  observedVariableNames,
} from './observation.ts';
export { columnScaling, sparseAdjoint, sparseProduct, transposeStructure } from './sparse.ts';

/**
 * H of a state on its way: what is observed before the state that is analysed is seen when the state has come so far, and is
 * used beside what is observed at the end: the first guess at appropriate time.
 */
interface ObservedInTime {
  /** Queues what is observed of a state at a moment before the end, from 1 on; those of a window in their order. */
  see(state: RealField, moment: number): void;
  /** Queues `output` = H of the state at the end, and of those that were seen before it. */
  observe(state: RealField, output: RealField): void;
  dispose(): void;
}

/** @param members of the states */
export async function createObservedInTime(
  backend: Backend,
  observations: ObservationOperator,
  members: number,
): Promise<ObservedInTime> {
  const { capacity, moments } = observations;
  if (moments === 0) {
    return {
      see: () => undefined,
      observe: (state, output) => observations.observe(state, members, output),
      dispose: () => undefined,
    };
  }
  const length = members * capacity;
  const seen = backend.allocate('observedInTime.seen', 'real', length);
  const now = backend.allocate('observedInTime.now', 'real', length);
  const adding = await backend.prepare(perturbation, { members: 1, length });
  /** Whether something of this window is seen. */
  let isBegun = false;
  return {
    see(state, moment) {
      observations.observe(state, members, isBegun ? now : seen, moment);
      if (isBegun) adding.run({ noise: now, ensemble: seen });
      isBegun = true;
    },
    observe(state, output) {
      isBegun = false;
      if (!observations.isAsynchronous) {
        observations.observe(state, members, output);
        return;
      }
      // An observation is 0 but at its own moment: the sum is exact.
      observations.observe(state, members, output, 0);
      adding.run({ noise: seen, ensemble: output });
    },
    dispose() {
      for (const owned of [seen, now, adding]) owned.dispose();
    },
  };
}
