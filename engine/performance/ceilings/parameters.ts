/** What the kernels of the measurement are prepared with. */

export interface StreamCopyParameters {
  /** Reals, a multiple of 4. */
  readonly length: number;
  /** Times that it is done in one run. */
  readonly repeats: number;
}

export interface MultiplyAddParameters {
  /** Values, a multiple of 16. */
  readonly length: number;
  /** A multiple of 4. */
  readonly steps: number;
  /** Times that it is done in one run. */
  readonly repeats: number;
}
