/** What the operator is prepared with, and the arrays it works on. */

export interface DotProductParameters {
  readonly length: number;
  /** Multiplies the product. */
  readonly factor: number;
}

/** `x` and `y` are [length] and may be the same field; `result` is [1], written. */
export type DotProductFields = { readonly x: 'real'; readonly y: 'real'; readonly result: 'real' };
