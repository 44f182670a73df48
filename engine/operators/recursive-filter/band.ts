/**
 * The recursive filter on a line as a banded matrix: the composite FIR in the interior, and near the two ends, where the
 * end conditions are felt, rows taken from the literal sweeps. The same numbers as the sweeps, to the tolerance of the taps.
 */
import { transposeBand, bandOfTaps, type Band } from '../convolution/index.ts';
import { filterCoefficients, sweepAdjoint, circularKernel, lineTaps } from './taps.ts';
import { LimitError } from '../../errors.ts';

/** Blocks a line is cut into, and the points each is extended by; a line left whole is one block without overlap. */
export interface Blocks {
  readonly count: number;
  readonly overlap: number;
}

/** @returns points that are swept for each point of a line: more than one where blocks overlap */
export function sweptShare(length: number, { count, overlap }: Blocks): number {
  return (length + 2 * overlap * count) / length;
}

/** Where block `index` of a line of `length` points starts, and how many it holds: the first r = length mod count one more. */
export function blockRange(
  length: number,
  count: number,
  index: number,
): { readonly start: number; readonly size: number } {
  const size = Math.floor(length / count);
  const longer = length % count;
  return { start: index * size + Math.min(index, longer), size: index < longer ? size + 1 : size };
}

/** What is omitted of the kernel's tails: below the rounding of a float64 sum. */
const TOLERANCE = 1e-16;

/** The matrix A of the one-dimensional filter as a band, to the rounding of float64. @param sigma grid points */
export function recursiveFilterBand(n: number, sigma: number, iterations: number, boundary: 'free' | 'periodic'): Band {
  if (sigma === 0) return bandOfTaps(n, { taps: [1], lower: 0 }, boundary === 'periodic');
  if (boundary === 'periodic') return bandOfTaps(n, circularKernel(n, sigma, iterations, TOLERANCE), true);
  return freeBand({ length: n, sigma, iterations, taps: lineTaps(n, sigma, iterations, TOLERANCE) }, false);
}

/**
 * The matrix of Algorithm 2 [rf-gpu] on a line as a band all of whose rows are its own: a row is that of the filter of its
 * block's extended points, which are the same for all blocks of a size.
 */
export function overlappedBand(n: number, sigma: number, iterations: number, { count, overlap }: Blocks): Band {
  const longest = blockRange(n, count, 0).size;
  const lower = Math.min(n, longest + overlap) - 1;
  const width = 2 * lower + 1;
  const rows = new Float64Array((n + 1) * width);
  const matrices = new Map<number, readonly Float64Array[]>();
  for (let block = 0; block < count; block++) {
    const { start, size } = blockRange(n, count, block);
    const matrix = matrices.get(size) ?? keptRows(size, sigma, iterations, overlap);
    matrices.set(size, matrix);
    matrix.forEach((row, c) => {
      const first = start + c - lower;
      const from = Math.max(0, start - overlap, first);
      const to = Math.min(n, start + size + overlap, first + width);
      for (let j = from; j < to; j++) rows[(start + c) * width + j - first] = row[j - start + overlap];
    });
  }
  return { length: n, lower, width, periodic: false, left: n, right: 0, rows };
}

/** Rows of the filter of `size` + 2 `overlap` points, but for those of the overlaps. */
function keptRows(size: number, sigma: number, iterations: number, overlap: number): readonly Float64Array[] {
  const coefficients = filterCoefficients(sigma, iterations);
  return Array.from({ length: size }, (_, c) => {
    const row = new Float64Array(size + 2 * overlap);
    row[overlap + c] = 1;
    sweepAdjoint(coefficients, iterations, row, 1);
    return row;
  });
}

/**
 * The diagonal of A·Aᵀ, A the matrix of the one-dimensional filter. For A along x and along y, 1/√(v_x(i) v_y(j)) makes
 * the variance of B = (A_x ⊗ A_y)(A_x ⊗ A_y)ᵀ one at every point. In the interior it is Σ w_n²; only the rows nearer to an
 * end than the kernel reaches are computed one by one.
 *
 * @param sigma grid points; 0, no filtering, gives ones
 * @throws LimitError when a parameter is out of range
 */
export function recursiveFilterVariance(
  n: number,
  sigma: number,
  iterations: number,
  boundary: 'free' | 'periodic',
): Float64Array {
  if (!(Number.isInteger(n) && n >= 1 && Number.isInteger(iterations) && iterations >= 1 && sigma >= 0)) {
    throw new LimitError(
      `recursiveFilterVariance: found n ${n}, sigma ${sigma}, iterations ${iterations}; ` +
        'n and iterations must be integers of at least 1, sigma at least 0',
    );
  }
  const variance = new Float64Array(n);
  if (sigma === 0) return variance.fill(1);
  if (boundary === 'periodic') {
    return variance.fill(sumOfSquares(circularKernel(n, sigma, iterations, TOLERANCE).taps));
  }
  const taps = lineTaps(n, sigma, iterations, TOLERANCE);
  variance.fill(2 * sumOfSquares(taps) - taps[0] ** 2);
  const line = { length: n, sigma, iterations, taps };
  const { left, right } = endRows(line);
  const rowOf = impulseRows(line);
  for (let end = 0; end < left + right; end++) {
    const i = end < left ? end : n - right + end - left;
    variance[i] = sumOfSquares(rowOf(i).row);
  }
  return variance;
}

function sumOfSquares(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = values.length - 1; i >= 0; i--) sum += values[i] ** 2;
  return sum;
}

/** What a band is built from. `taps` is the half kernel of lineTaps. */
export interface FilterLine {
  readonly length: number;
  readonly sigma: number;
  readonly iterations: number;
  readonly taps: Float64Array;
}

/** Rows of the band near each end that are not the interior's: those closer to it than the kernel reaches. */
function endRows({ length, taps }: FilterLine): { readonly left: number; readonly right: number } {
  const left = Math.min(taps.length, Math.ceil(length / 2));
  return { left, right: Math.min(taps.length, length - left) };
}

/** @param transpose build the adjoint of the band, exactly */
export function freeBand(line: FilterLine, transpose: boolean): Band {
  const { length, taps } = line;
  const { left, right } = endRows(line);
  const lower = Math.min(taps.length - 1, length - 1);
  const width = 2 * lower + 1;
  const rows = new Float64Array((left + 1 + right) * width);
  for (let q = 0; q < width; q++) rows[left * width + q] = taps[Math.abs(q - lower)];
  const rowOf = impulseRows(line);
  for (let end = 0; end < left + right; end++) {
    const i = end < left ? end : length - right + end - left;
    const { row, start } = rowOf(i);
    const target = (end < left ? end : end + 1) * width;
    for (let q = 0; q < width; q++) rows[target + q] = row[i - lower + q - start] ?? 0;
  }
  const band: Band = { length, lower, width, periodic: false, left, right, rows };
  return transpose ? transposeBand(band) : band;
}

/** Points at an end that must be swept so that rows closer to it than the kernel reaches are right. */
function segmentLength({ length, taps }: FilterLine): number {
  return Math.min(length, 2 * taps.length + 1);
}

/**
 * Row i of the filter's matrix: the adjoint sweeps of a unit impulse at i, on the segment at the nearer end of the line.
 * `row[j − start]` is the weight of point j; the array is used again by the next call.
 */
function impulseRows(line: FilterLine): (i: number) => { readonly row: Float64Array; readonly start: number } {
  const { length, sigma, iterations } = line;
  const coefficients = filterCoefficients(sigma, iterations);
  const row = new Float64Array(segmentLength(line));
  return (i) => {
    const start = i < length / 2 ? 0 : length - row.length;
    row.fill(0);
    row[i - start] = 1;
    sweepAdjoint(coefficients, iterations, row, 1);
    return { row, start };
  };
}
