/** What the separable convolutions are prepared with, and the arrays they work on. */
import type { Taps } from './band.ts';

/** A volume [n1, n2, n3], n3 fastest, periodic; `taps[j + lower]` = ω_j. Any number of taps, also more than a size. */
export interface ConvolutionParameters {
  readonly n1: number;
  readonly n2: number;
  readonly n3: number;
  readonly taps: readonly number[];
  readonly lower: number;
}

/** Both of n1 · n2 · n3 elements, and not the same field. */
export type ConvolutionFields = { readonly input: 'real'; readonly output: 'real' };

export interface SeparableConvolution2dParameters {
  /** Each field is [ny, nx], x fastest. */
  readonly nx: number;
  readonly ny: number;
  /** Number of fields, one after another. */
  readonly batch: number;
  readonly tapsX: Taps;
  readonly tapsY: Taps;
  /** What lies outside: zero, or the field again. */
  readonly boundaryX: 'zero' | 'periodic';
  readonly boundaryY: 'zero' | 'periodic';
  /** Apply the adjoint: every weight at the negative offset. */
  readonly transpose: boolean;
}

/** Both of batch · ny · nx elements, and not the same field. */
export type SeparableConvolution2dFields = { readonly input: 'real'; readonly output: 'real' };
