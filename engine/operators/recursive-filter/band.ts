/**
 * The recursive filter on a line as a banded matrix: the composite FIR in the interior, and near the two ends, where the
 * end conditions are felt, rows taken from the literal sweeps. The same numbers as the sweeps, to the tolerance of the taps.
 */
import { transposeBand } from '../convolution/index.ts';
import type { Band } from '../convolution/index.ts';
import { filterCoefficients, sweepAdjoint } from './sweeps.ts';

/** What a band is built from. `taps` is the half kernel of lineTaps. */
export interface FilterLine {
  readonly length: number;
  readonly sigma: number;
  readonly iterations: number;
  readonly taps: Float64Array;
}

/** Rows of the band near each end that are not the interior's: those closer to it than the kernel reaches. */
export function endRows({ length, taps }: FilterLine): { readonly left: number; readonly right: number } {
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
export function impulseRows(line: FilterLine): (i: number) => { readonly row: Float64Array; readonly start: number } {
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
