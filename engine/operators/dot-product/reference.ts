/** The dot product by its formula. */
import type { ArraysOf } from '../../compute/backend.ts';
import type { DotProductFields, DotProductParameters } from './parameters.ts';

export function dotProductReference({ length, factor }: DotProductParameters) {
  return ({ x, y, result }: ArraysOf<DotProductFields>): void => {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += x[i] * y[i];
    result[0] = factor * sum;
  };
}
