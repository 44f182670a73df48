/** y = s ∘ x in float64. */
import type { ArraysOf } from '../../compute/backend.ts';
import type { DiagonalFields, DiagonalParameters } from './parameters.ts';

export function reference({ length, batch }: DiagonalParameters): (arrays: ArraysOf<DiagonalFields>) => void {
  return ({ scale, input, output }) => {
    for (let field = 0; field < batch; field++) {
      const start = field * length;
      for (let i = 0; i < length; i++) output[start + i] = scale[i] * input[start + i];
    }
  };
}
