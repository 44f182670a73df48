/** The dot product by its formula. */
import type { ArraysOf } from '../../compute/backend.ts';

export interface DotProductParameters {
  readonly length: number;
  /** Multiplies the product. */
  readonly factor: number;
}

/** `x` and `y` are [length] and may be the same field; `result` is [1], written. */
export type DotProductFields = { readonly x: 'real'; readonly y: 'real'; readonly result: 'real' };

export function dotProductReference({ length, factor }: DotProductParameters) {
  return ({ x, y, result }: ArraysOf<DotProductFields>): void => {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += x[i] * y[i];
    result[0] = factor * sum;
  };
}
