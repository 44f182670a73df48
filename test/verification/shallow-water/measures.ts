/** How the cases measure: error norms over cells, and the order of convergence. */

/** One number that a case measured, with the bar it has to pass. */
export interface Measurement {
  /** What was measured, and at which resolution or time. */
  readonly what: string;
  readonly value: number;
  readonly bar: { readonly atMost: number } | { readonly atLeast: number };
}

/** False also for NaN. */
export function passes({ value, bar }: Measurement): boolean {
  return 'atMost' in bar ? value <= bar.atMost : value >= bar.atLeast;
}

/** Σ|q − q*| / Σ|q*|. */
export function relativeL1(found: Float64Array, exact: Float64Array): number {
  let [error, size] = [0, 0];
  for (let i = 0; i < exact.length; i++) {
    error += Math.abs(found[i] - exact[i]);
    size += Math.abs(exact[i]);
  }
  return error / size;
}

/** √(Σ(q − q*)² / Σq*²). */
export function relativeL2(found: Float64Array, exact: Float64Array): number {
  let [error, size] = [0, 0];
  for (let i = 0; i < exact.length; i++) {
    error += (found[i] - exact[i]) ** 2;
    size += exact[i] ** 2;
  }
  return Math.sqrt(error / size);
}

/** max|q|; NaN if any is. */
export function largest(values: Float64Array): number {
  let most = 0;
  for (const value of values) {
    if (Number.isNaN(value)) return NaN;
    most = Math.max(most, Math.abs(value));
  }
  return most;
}

/**
 * Order of convergence: the median, over neighbouring resolutions, of the slopes of log error against log cells.
 *
 * @param cells cells along a side, rising; at least two
 */
export function order(cells: readonly number[], errors: readonly number[]): number {
  const slopes = errors
    .slice(1)
    .map((error, i) => Math.log(errors[i] / error) / Math.log(cells[i + 1] / cells[i]))
    .sort((a, b) => a - b);
  const middle = (slopes.length - 1) / 2;
  return (slopes[Math.floor(middle)] + slopes[Math.ceil(middle)]) / 2;
}
