/** The stochastic EnKF around its solve, by its formulas. */
import type { ArraysOf } from '../../compute/backend.ts';
import type {
  GainBlock,
  GainIncrementFields,
  ObservedCovarianceFields,
  PerturbedInnovationFields,
  PerturbedInnovationParameters,
} from './parameters.ts';

export function perturbedInnovation({ members, observations }: PerturbedInnovationParameters) {
  return (arrays: ArraysOf<PerturbedInnovationFields>): void => {
    const { values, observed, inverseErrorStd, perturbations, scaled } = arrays;
    for (let l = 0; l < members; l++) {
      for (let j = 0; j < observations; j++) {
        const at = l * observations + j;
        const r = inverseErrorStd[j];
        scaled[at] = r === 0 ? 0 : r * (values[j] - observed[at]) + perturbations[at];
      }
    }
  };
}

export function observedCovariance({ length, observations, firstObservation, blockObservations }: GainBlock) {
  return (arrays: ArraysOf<ObservedCovarianceFields>): void => {
    const { covariance, indptr, indices, data, inverseErrorStd: r, matrix } = arrays;
    for (let column = 0; column < blockObservations; column++) {
      const b = firstObservation + column;
      for (let a = 0; a < observations; a++) {
        let seen = 0;
        for (let k = indptr[a]; k < indptr[a + 1]; k++) seen += data[k] * covariance[column * length + indices[k]];
        const scale = r[a] * r[b];
        matrix[b * observations + a] = (a === b ? 1 : 0) + (scale === 0 ? 0 : scale * seen);
      }
    }
  };
}

export function gainIncrement(parameters: GainBlock & { readonly members: number }) {
  const { members, length, observations, firstObservation, blockObservations } = parameters;
  return (arrays: ArraysOf<GainIncrementFields>): void => {
    const { covariance, inverseErrorStd, weights, ensemble } = arrays;
    for (let column = 0; column < blockObservations; column++) {
      const j = firstObservation + column;
      const r = inverseErrorStd[j];
      if (r === 0) continue;
      for (let i = 0; i < length; i++) {
        const gain = r * covariance[column * length + i];
        // The taper leaves most of the state out of an observation's reach.
        if (gain === 0) continue;
        for (let l = 0; l < members; l++) ensemble[l * length + i] += gain * weights[l * observations + j];
      }
    }
  };
}
