/**
 * A banded matrix whose rows are all alike but for some at each end: what a filter by convolution is on a line of points.
 * Built once on the host in float64; both backends apply it, the WebGPU one as a table of its distinct rows.
 */
import { LimitError } from '../../errors.ts';

/**
 * The sampled Gaussian e^{−j²/2L²}, scaled to unit sum: symmetric, `lower` = (taps.length − 1) / 2.
 *
 * @param length L, the standard deviation in grid points; 0 gives the single tap 1
 * @param tolerance the weight omitted of both tails together, as a share of the whole
 * @throws LimitError when the length is negative or the tolerance is not between 0 and 1
 */
export function gaussianTaps(length: number, tolerance: number): Taps {
  if (!(Number.isFinite(length) && length >= 0)) {
    throw new LimitError(`gaussianTaps: length is ${length}, it must be a finite number of grid points, at least 0`);
  }
  if (!(tolerance > 0 && tolerance < 1)) {
    throw new LimitError(`gaussianTaps: tolerance is ${tolerance}, it must lie between 0 and 1; try 1e-8`);
  }
  if (length === 0) return { taps: [1], lower: 0 };
  // Where e^{−r²/2L²} is below float64's rounding of the sum nothing is left to add.
  const half = Float64Array.from({ length: Math.ceil(9 * length) + 1 }, (_, j) => Math.exp(-0.5 * (j / length) ** 2));
  const total = 2 * half.reduceRight((sum, weight) => sum + weight, 0) - half[0];
  let reach = half.length - 1;
  let tail = 0;
  while (reach > 0 && tail + 2 * half[reach] <= tolerance * total) {
    tail += 2 * half[reach];
    reach -= 1;
  }
  const kept = total - tail;
  return { taps: Array.from({ length: 2 * reach + 1 }, (_, q) => half[Math.abs(q - reach)] / kept), lower: reach };
}

/** Weights ω_j of a one-dimensional filter, j = −lower … taps.length − 1 − lower; `taps[j + lower]` = ω_j. */
export interface Taps {
  readonly taps: readonly number[] | Float64Array;
  readonly lower: number;
}

/** out(i) = Σ_q row(i)[q] · in(i − lower + q), q = 0 … width − 1. */
export interface Band {
  /** Points of the line. */
  readonly length: number;
  readonly lower: number;
  readonly width: number;
  /** Indices are taken modulo `length`; otherwise the signal is zero outside. */
  readonly periodic: boolean;
  /** Rows at the start and at the end that have weights of their own; the others share row `left` of `rows`. */
  readonly left: number;
  readonly right: number;
  /** `left + 1 + right` rows of `width`: those at the start, the common one, those at the end. */
  readonly rows: Float64Array;
}

/** The matrix of a convolution: every row alike. */
export function bandOfTaps(length: number, { taps, lower }: Taps, periodic: boolean): Band {
  return { length, lower, width: taps.length, periodic, left: 0, right: 0, rows: Float64Array.from(taps) };
}

/** Which of the distinct rows point `i` has. */
export function rowIndex({ length, left, right }: Band, i: number): number {
  if (i < left) return i;
  return i < length - right ? left : left + 1 + i - (length - right);
}

/** The exact transpose of a band. */
export function transposeBand(band: Band): Band {
  const { length, width, periodic } = band;
  const upper = width - 1 - band.lower;
  // Row i of the transpose holds A(j, i) for j = i − upper … i + lower: it differs where any such row of A does.
  const differing = {
    left: band.left > 0 ? Math.min(length, band.left + upper) : 0,
    right: band.right > 0 ? Math.min(length, band.right + band.lower) : 0,
  };
  const dense = differing.left + differing.right >= length && band.left + band.right > 0;
  const left = dense ? length : differing.left;
  const right = dense ? 0 : differing.right;
  const rows = new Float64Array((left + 1 + right) * width);
  const write = (row: number, weight: (q: number) => number) => {
    for (let q = 0; q < width; q++) rows[row * width + q] = weight(q);
  };
  write(left, (q) => band.rows[band.left * width + width - 1 - q]);
  for (let end = 0; end < left + right; end++) {
    const i = end < left ? end : length - right + end - left;
    write(end < left ? end : end + 1, (q) => {
      const j = i - upper + q;
      return j < 0 || j >= length ? 0 : band.rows[rowIndex(band, j) * width + width - 1 - q];
    });
  }
  return { length, lower: upper, width, periodic, left, right, rows };
}

/** Sums that are made side by side. Each is made in the order of its taps. */
const SUMS = 8;

/**
 * output(i) = Σ_q row(i)[q] · input(i − lower + q) on `lanes` lines of points side by side, [length][lanes], float64.
 *
 * @returns the product; its `output` must not be its `input`
 */
export function bandProduct(band: Band, lanes: number): (input: Float64Array, output: Float64Array) => void {
  const { length, lower, width, periodic, left, right, rows } = band;
  /** The points with those that rows reach beyond both ends: zeros, or the line again. */
  const padded = new Float64Array((length + width - 1) * lanes);
  const pad = (input: Float64Array): void => {
    padded.set(input, lower * lanes);
    if (!periodic) return;
    for (let i = 0; i < length + width - 1; i++) {
      if (i >= lower && i < lower + length) continue;
      const from = modulo(i - lower, length) * lanes;
      for (let lane = 0; lane < lanes; lane++) padded[i * lanes + lane] = input[from + lane];
    }
  };
  /** The elements from `begin` to before `end`, whose points share the row that begins at `row`. */
  const applyRow = (row: number, begin: number, end: number, output: Float64Array): void => {
    let element = begin;
    for (; element + SUMS <= end; element += SUMS) {
      let [a, b, c, d, e, f, g, h] = [0, 0, 0, 0, 0, 0, 0, 0];
      for (let q = 0, from = element; q < width; q++, from += lanes) {
        const weight = rows[row + q];
        a += weight * padded[from];
        b += weight * padded[from + 1];
        c += weight * padded[from + 2];
        d += weight * padded[from + 3];
        e += weight * padded[from + 4];
        f += weight * padded[from + 5];
        g += weight * padded[from + 6];
        h += weight * padded[from + 7];
      }
      output[element] = a;
      output[element + 1] = b;
      output[element + 2] = c;
      output[element + 3] = d;
      output[element + 4] = e;
      output[element + 5] = f;
      output[element + 6] = g;
      output[element + 7] = h;
    }
    for (; element < end; element++) {
      let sum = 0;
      for (let q = 0, from = element; q < width; q++, from += lanes) sum += rows[row + q] * padded[from];
      output[element] = sum;
    }
  };
  return (input, output) => {
    pad(input);
    for (let i = 0; i < left; i++) applyRow(i * width, i * lanes, (i + 1) * lanes, output);
    applyRow(left * width, left * lanes, (length - right) * lanes, output);
    for (let i = length - right; i < length; i++) {
      applyRow((left + 1 + i - (length - right)) * width, i * lanes, (i + 1) * lanes, output);
    }
  };
}

/** Lags up to this are kept once they are computed. */
const KEPT_LAGS = 4;

/** @returns the elements (i, k) of A·Aᵀ, A the band's matrix: for near ones the second time without computing */
export function bandGram(band: Band): (i: number, k: number) => number {
  const { length, periodic } = band;
  const kept = new Float64Array(KEPT_LAGS * length).fill(NaN);
  return (i, k) => {
    const [first, second] = i <= k ? [i, k] : [k, i];
    // On a periodic axis all rows are alike: what counts is how far apart they are, the shorter way round.
    const lag = periodic ? Math.min(second - first, length - (second - first)) : second - first;
    const from = periodic ? 0 : first;
    if (lag >= KEPT_LAGS) return rowProduct(band, from, from + lag);
    const place = lag * length + from;
    if (Number.isNaN(kept[place])) kept[place] = rowProduct(band, from, from + lag);
    return kept[place];
  };
}

/** Σ_j A(i, j) A(k, j). */
function rowProduct(band: Band, i: number, k: number): number {
  const { length, lower, width, periodic, rows } = band;
  const [rowI, rowK] = [rowIndex(band, i) * width, rowIndex(band, k) * width];
  let sum = 0;
  if (periodic) {
    // A kernel wider than the axis meets itself: what arrives at a point is added up first.
    const received = new Float64Array(length);
    for (let q = 0; q < width; q++) received[modulo(k - lower + q, length)] += rows[rowK + q];
    for (let q = 0; q < width; q++) sum += rows[rowI + q] * received[modulo(i - lower + q, length)];
    return sum;
  }
  const start = Math.max(0, Math.max(i, k) - lower);
  const end = Math.min(length, Math.min(i, k) - lower + width);
  for (let j = start; j < end; j++) sum += rows[rowI + j - i + lower] * rows[rowK + j - k + lower];
  return sum;
}

/** i modulo n, never negative. */
function modulo(i: number, n: number): number {
  const remainder = i % n;
  return remainder < 0 ? remainder + n : remainder;
}
