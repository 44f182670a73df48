/** The recursive filter in float64, line by line: the literal sweeps, their overlapped decomposition, or the FIR. */
import type { ArraysOf } from '../../compute/backend.ts';
import { bandProduct, eachLine, type LinesFilter } from '../convolution/index.ts';
import type { recursiveFilterFields, RecursiveFilterParameters, AxisPlan, SweepsPlan } from './plan.ts';
import { blockRange } from './band.ts';
import { planFilter } from './plan.ts';
import { filterCoefficients, sweep, sweepAdjoint } from './taps.ts';

/** @throws LimitError when a parameter is out of range */
export function reference(
  parameters: RecursiveFilterParameters,
): (arrays: ArraysOf<typeof recursiveFilterFields>) => void {
  const [first, second] = planFilter(parameters, 8);
  const applyFirst = eachLine(first.lines, (lanes) => filterOf(first, lanes));
  const applySecond = eachLine(second.lines, (lanes) => filterOf(second, lanes));
  const between = new Float64Array(parameters.nx * parameters.ny * parameters.batch);
  return ({ input, output }) => {
    applyFirst(input, between);
    applySecond(between, output);
  };
}

function filterOf(axis: AxisPlan, lanes: number): LinesFilter {
  switch (axis.form) {
    case 'none':
      return (source, target) => target.set(source);
    case 'fir':
      return bandProduct(axis.band(), lanes);
    case 'sweeps':
      return sweepsOfBlocks(axis, lanes);
    default:
      return axis satisfies never;
  }
}

/**
 * Algorithm 2 of [rf-gpu]: for each block, gather it with its overlap (zeros outside the line), sweep, and drop the
 * overlap. The adjoint takes the same steps backwards: a block without its overlap, swept, is added with it. A line left
 * whole is one block.
 */
function sweepsOfBlocks(
  { lines: { length }, sigma, iterations, transpose, blocks }: SweepsPlan,
  lanes: number,
): LinesFilter {
  const coefficients = filterCoefficients(sigma, iterations);
  const { count, overlap } = blocks;
  const longest = blockRange(length, count, 0).size;
  const work = new Float64Array((longest + 2 * overlap) * lanes);
  const shorter = work.subarray(0, work.length - lanes);
  return (source, target) => {
    target.fill(0);
    for (let block = 0; block < count; block++) {
      const { start, size } = blockRange(length, count, block);
      const extended = size === longest ? work : shorter;
      const margin = transpose ? 0 : overlap;
      const from = Math.max(0, start - margin);
      const to = Math.min(length, start + size + margin);
      const shift = (start - overlap) * lanes;
      extended.fill(0);
      for (let e = from * lanes; e < to * lanes; e++) extended[e - shift] = source[e];
      if (transpose) {
        sweepAdjoint(coefficients, iterations, extended, lanes);
        const last = Math.min(length, start + size + overlap);
        for (let e = Math.max(0, start - overlap) * lanes; e < last * lanes; e++) target[e] += extended[e - shift];
      } else {
        sweep(coefficients, iterations, extended, lanes);
        for (let e = start * lanes; e < (start + size) * lanes; e++) target[e] = extended[e - shift];
      }
    }
  };
}
