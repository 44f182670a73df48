/**
 * The tapered sample covariance seen through the members' observations Y′ = H(x_l) − mean, H linear or not:
 *
 *   S = I + ρ R^−½ (C ∘ Y′Y′ᵀ/(k − 1)) R^−½   (`observedEnsembleCovariance`),
 *   P Sᵀ = (C ∘ X′Y′ᵀ/(k − 1)) R^−½           (`observedEnsembleGain`),
 *
 * C the Gaspari–Cohn taper [gaspari1999] of the distance between two observations, or an observation and a cell. `inverseErrorStd`
 * is the diagonal of R^−½; an observation where it is 0 has the row and column of the identity, and no gain. C is positive
 * semidefinite, and S positive definite, where twice the half-width is at most half of each periodic axis.
 *
 * With `keepsOthers` both add to what `gainCovariance` and `observedCovariance` have made of other observations, those that are
 * linear in the state: what is observed is then a further part of the state, with places of its own, and S its covariance.
 */
import { defineOperator, sampled } from '../../compute/define-operator.ts';
import { observedEnsembleCovarianceReference, observedEnsembleGainReference } from './reference.ts';
import type {
  ObservedEnsembleCovarianceParameters,
  ObservedEnsembleCovarianceFields,
  ObservedEnsembleGainParameters,
  ObservedEnsembleGainFields,
} from './reference.ts';

export type {
  ObservedEnsembleCovarianceParameters,
  ObservedEnsembleCovarianceFields,
  ObservedEnsembleGainParameters,
  ObservedEnsembleGainFields,
} from './reference.ts';

/** S. Cost: 2k operations a pair, counted for every pair. */
export const observedEnsembleCovariance = defineOperator<
  ObservedEnsembleCovarianceParameters,
  ObservedEnsembleCovarianceFields
>({
  name: 'observed-ensemble-covariance',
  parameters: { members: sampled },
  fields: {
    observedAnomalies: 'real',
    inverseErrorStd: 'real',
    positionX: 'real',
    positionY: 'real',
    matrix: 'real',
  },
  cost: ({ members, observations }, elementBytes) => ({
    bytes: elementBytes * (members * observations + observations ** 2 / 2),
    flops: members * observations ** 2,
  }),
  reference: observedEnsembleCovarianceReference,
  wasm: async () => (await import('./devices.ts')).observedEnsembleCovarianceWasm,
  webgpu: async () => (await import('./devices.ts')).observedEnsembleCovarianceWebGpu,
});

/** Columns of P Sᵀ. Cost: 2k operations for each observation and element of the state within reach, here counted for all. */
export const observedEnsembleGain = defineOperator<ObservedEnsembleGainParameters, ObservedEnsembleGainFields>({
  name: 'observed-ensemble-gain',
  parameters: { members: sampled },
  fields: {
    anomalies: 'real',
    observedAnomalies: 'real',
    inverseErrorStd: 'real',
    positionX: 'real',
    positionY: 'real',
    output: 'real',
  },
  cost: ({ nx, ny, variables, members, blockObservations }, elementBytes) => {
    const state = variables * ny * nx;
    return {
      bytes: elementBytes * (members * state + blockObservations * (members + state)),
      flops: 2 * members * state * blockObservations,
    };
  },
  reference: observedEnsembleGainReference,
  wasm: async () => (await import('./devices.ts')).observedEnsembleGainWasm,
  webgpu: async () => (await import('./devices.ts')).observedEnsembleGainWebGpu,
});
