/** What the operator is prepared with, and the arrays it works on. */

export interface DiagonalParameters {
  /** Elements of `scale`, and of each field. */
  readonly length: number;
  /** Number of fields, one after another. */
  readonly batch: number;
}

/** `scale` has `length` elements; `input` and `output` have `batch · length`. */
export type DiagonalFields = { readonly scale: 'real'; readonly input: 'real'; readonly output: 'real' };
