/** Static background-error covariances B = V Vᵀ: their settings, and their square roots V. */
export { stack, sum } from './composition.ts';
export { createControlTransform } from './control-transform.ts';
export type { ControlFactors, ControlTransform, StaticControlTransform } from './control-transform.ts';
export {
  controlPlanes,
  covarianceProblems,
  covarianceTuning,
  lengthTuning,
  lengthWarnings,
  shareOf,
} from './covariance.ts';
export { covarianceDefinition, covarianceField } from './registry.ts';
export type { Covariance } from './registry.ts';
