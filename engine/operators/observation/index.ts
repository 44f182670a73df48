/**
 * Observations: where they are, what they see of the state, and how far the state is from them.
 *
 * - `observation`: H(x) of a whole ensemble, nonlinear where velocity is observed.
 * - `linearisation`: its scaled tangent linear R^−½H′ as a sparse matrix, for 3D-Var; `sparseProduct` and `sparseAdjoint` apply
 *   it, and any other sparse matrix.
 * - `columnScaling`: such a matrix times a diagonal one, in place.
 * - `tangentVariance`: H′ B H′ᵀ's diagonal from a covariance that is known at the observations' places.
 * - `measurement`: what instruments report of a truth.
 * - `innovation` and `qualityControl`: d = y − H(x̄), and which observations to believe.
 * - `createObservationOperator` owns all of this for one network of a run, of which every cycle sets the observations.
 * - `createObservedInTime`: H of a state on its way, where some are observed before it is analysed.
 *
 * Host-side: `observedVariable` (the registry), `bilinearStencil` and `interpolation` (points to weights), and
 * `transposeStructure`.
 */
export { innovation, measurement, qualityControl } from './departure.ts';
export { bilinearStencil, interpolation } from './interpolation.ts';
export type { InterpolationGrid } from './interpolation.ts';
export type { LinearisedOperator } from './linearised-operator.ts';
export { createObservationOperator } from './observation-operator.ts';
export type { ObservationOperator, Observations, ObservedModel } from './observation-operator.ts';
export { linearisation, observation } from './observation.ts';
export { createObservedInTime } from './observed-in-time.ts';
export { columnScaling, sparseAdjoint, sparseProduct, transposeStructure } from './sparse.ts';
export { COVARIANCE_ENTRIES, tangentVariance } from './tangent-variance.ts';
export { isLinearlyObserved, observedVariable, observedVariableNames } from './variables.ts';
