/** x = Σ_i X_i ∘ w_i and its adjoint in float64. */
import type { ArraysOf } from '../../compute/backend.ts';
import type { schurProductFields, SchurProductParameters } from './parameters.ts';

export function reference({ members, variables, cells, transpose }: SchurProductParameters) {
  const length = variables * cells;
  return ({ anomalies, input, output }: ArraysOf<typeof schurProductFields>): void => {
    if (transpose) {
      for (let i = 0; i < members; i++) {
        for (let cell = 0; cell < cells; cell++) {
          let sum = 0;
          for (let at = cell; at < length; at += cells) sum += anomalies[i * length + at] * input[at];
          output[i * cells + cell] = sum;
        }
      }
      return;
    }
    for (let at = 0; at < length; at++) {
      let sum = 0;
      for (let i = 0; i < members; i++) sum += anomalies[i * length + at] * input[i * cells + (at % cells)];
      output[at] = sum;
    }
  };
}
