/** The recursive filter in float64, line by line: the literal sweeps, their overlapped decomposition, or the FIR. */
import type { ArraysOf } from '../../compute/backend.ts';
import { applyBand, eachLine } from '../convolution/index.ts';
import type { RecursiveFilterFields, RecursiveFilterParameters } from './parameters.ts';
import { blockRange, planFilter } from './plan.ts';
import type { AxisPlan, SweepsPlan } from './plan.ts';
import { filterCoefficients, sweep, sweepAdjoint } from './sweeps.ts';

/** Filters one line of points. */
type LineFilter = (source: Float64Array, target: Float64Array) => void;

/** @throws LimitError when a parameter is out of range */
export function reference(parameters: RecursiveFilterParameters): (arrays: ArraysOf<RecursiveFilterFields>) => void {
  const [first, second] = planFilter(parameters, 8);
  const applyFirst = eachLine(first.lines, lineFilter(first));
  const applySecond = eachLine(second.lines, lineFilter(second));
  const between = new Float64Array(parameters.nx * parameters.ny * parameters.batch);
  return ({ input, output }) => {
    applyFirst(input, between);
    applySecond(between, output);
  };
}

function lineFilter(axis: AxisPlan): LineFilter {
  switch (axis.form) {
    case 'none':
      return (source, target) => target.set(source);
    case 'fir': {
      const band = axis.band();
      return (source, target) => applyBand(band, source, target);
    }
    case 'sweeps':
      return sweepsOfBlocks(axis);
    default:
      return axis satisfies never;
  }
}

/**
 * Algorithm 2 of [rf-gpu]: for each block, gather it with its overlap (zeros outside the line), sweep, and drop the
 * overlap. The adjoint takes the same steps backwards: a block without its overlap, swept, is added with it. A line left
 * whole is one block.
 */
function sweepsOfBlocks({ lines: { length }, sigma, iterations, transpose, blocks }: SweepsPlan): LineFilter {
  const coefficients = filterCoefficients(sigma, iterations);
  const { count, overlap } = blocks;
  const longest = blockRange(length, count, 0).size;
  const work = new Float64Array(longest + 2 * overlap);
  const shorter = work.subarray(0, work.length - 1);
  return (source, target) => {
    target.fill(0);
    for (let block = 0; block < count; block++) {
      const { start, size } = blockRange(length, count, block);
      const extended = size === longest ? work : shorter;
      const margin = transpose ? 0 : overlap;
      const from = Math.max(0, start - margin);
      const to = Math.min(length, start + size + margin);
      extended.fill(0);
      for (let j = from; j < to; j++) extended[j - start + overlap] = source[j];
      if (transpose) {
        sweepAdjoint(coefficients, iterations, extended);
        const last = Math.min(length, start + size + overlap);
        for (let j = Math.max(0, start - overlap); j < last; j++) target[j] += extended[j - start + overlap];
      } else {
        sweep(coefficients, iterations, extended);
        for (let j = start; j < start + size; j++) target[j] = extended[j - start + overlap];
      }
    }
  };
}
