/** A ← A + (C − I) among the observations that are used, in float64. */
import type { ArraysOf } from '../../compute/backend.ts';
import type { errorCorrelationFields, ErrorCorrelationParameters } from './parameters.ts';

export function reference({ observations: p }: ErrorCorrelationParameters) {
  return ({ indptr, indices, correlation, inverseErrorStd, matrix }: ArraysOf<typeof errorCorrelationFields>): void => {
    for (let a = 0; a < p; a++) {
      if (inverseErrorStd[a] === 0) continue;
      for (let k = indptr[a]; k < indptr[a + 1]; k++) {
        const b = indices[k];
        if (b === a || inverseErrorStd[b] === 0) continue;
        matrix[a * p + b] += correlation[k];
        matrix[b * p + a] += correlation[k];
      }
    }
  };
}
