/** The arrays that a pass works on. */

/** Both of n1 · n2 · n3 elements, and not the same field. */
export type AxisConvolutionFields = { readonly input: 'real'; readonly output: 'real' };
