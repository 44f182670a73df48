/**
 * Two methods over the cycles of one run: the difference of their means, with an interval by the stationary bootstrap and
 * Student's t with as many degrees of freedom as the series has independent values. One run is one seed: what is found holds
 * for cycles of this truth and these observations.
 */
import { uncertaintyOfMean } from './block-bootstrap.ts';
import { directionOf, fromLogarithm, scaleOf, towards, winnerOf } from './comparison.ts';
import type { Comparison } from './comparison.ts';
import type { ComparisonOptions } from './compare-paired.ts';
import { studentHalfWidth, studentTail } from './distributions.ts';
import { USUAL_LEVEL } from './median-interval.ts';

export interface SeriesComparison extends Comparison {
  /** Mean length of the bootstrap's blocks, in cycles. */
  readonly blockLength: number;
  /** How many independent cycles would leave the difference as uncertain. */
  readonly effectiveSize: number;
}

/** With fewer, a correlation from one cycle to the next cannot be told from none. */
const FEWEST_CYCLES = 20;
/**
 * As many pairs as a sign test at 95 % needs. Of fewer independent cycles the correlation itself is known too badly for the
 * level to hold; then a winner is named only where an interval that is ten times as seldom wrong leaves zero as well. So in runs
 * of 20 cycles and more, of any correlation up to 0.97 from one to the next, no more than one in ten equals is named.
 */
const FEWEST_INDEPENDENT = 6;
const AS_SELDOM = 0.1;
/** The variance of the residuals of an autoregression needs two of them. */
const FEWEST_VALUES = 3;

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/**
 * @param a a finite value a cycle, in order
 * @param b of the same cycles
 * @returns undefined of fewer than three cycles
 * @throws RangeError where the two are of different length
 */
export function compareSeries(
  a: readonly number[],
  b: readonly number[],
  { goal = 'least', level = USUAL_LEVEL }: ComparisonOptions = {},
): SeriesComparison | undefined {
  if (a.length !== b.length) throw new RangeError(`${a.length} cycles against ${b.length}: pairs are needed`);
  if (a.length < FEWEST_VALUES) return undefined;
  const [of, against] = [towards(a, goal), towards(b, goal)];
  const scale = scaleOf(goal, [...of, ...against]);
  const [ofMean, againstMean] = [meanOf(of), meanOf(against)];
  // To first order, ln(mean a/mean b) moves with a single cycle as a/mean a − b/mean b does.
  const influence = of.map((value, t) =>
    scale === 'relative' ? value / ofMean - against[t] / againstMean : value - against[t],
  );
  const { standardError, degrees, blockLength, effectiveSize } = uncertaintyOfMean(influence);
  const estimate = scale === 'relative' ? Math.log(ofMean / againstMean) : ofMean - againstMean;
  const halfWidth = studentHalfWidth(level, degrees) * standardError;
  const interval = { estimate, low: estimate - halfWidth, high: estimate + halfWidth, level, coverage: level };
  const change = scale === 'relative' ? fromLogarithm(interval) : { ...interval, scale };
  const isClear =
    effectiveSize >= FEWEST_INDEPENDENT || studentTail(estimate / standardError, degrees) < AS_SELDOM * (1 - level);
  return {
    pairs: a.length,
    wins: of.filter((value, t) => (value - against[t]) * directionOf(goal) < 0).length,
    ties: of.filter((value, t) => value === against[t]).length,
    change,
    verdict: a.length >= FEWEST_CYCLES && isClear ? winnerOf(change, goal) : 'too-few',
    blockLength,
    effectiveSize,
  };
}
