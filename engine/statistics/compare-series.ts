/**
 * Describes how two methods differed over the cycles of one run: the ratio of their mean errors, the cycles won, and an interval by
 * the stationary bootstrap with Student's t. It names no winner, see README.md: the interval covers other cycles of the same truth,
 * observations and random numbers, and says nothing about another seed.
 */
import { uncertaintyOfMean } from './block-bootstrap.ts';
import { directionOf, fromLogarithm, scaleOf, towards } from './comparison.ts';
import type { Difference } from './comparison.ts';
import type { ComparisonOptions } from './compare-paired.ts';
import { studentHalfWidth } from './distributions.ts';
import { USUAL_LEVEL } from './median-interval.ts';

export interface SeriesDifference extends Difference {
  /** Mean length of the bootstrap's blocks, in cycles. */
  readonly blockLength: number;
  /** How many independent cycles would leave the difference as uncertain. */
  readonly effectiveSize: number;
}

/** The variance of the residuals of an autoregression needs two of them. */
const FEWEST_VALUES = 3;

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** With fewer than three values the half-width is infinite. */
function uncertaintyOf(influence: readonly number[], level: number) {
  if (influence.length < FEWEST_VALUES) {
    return { halfWidth: Infinity, blockLength: 1, effectiveSize: influence.length };
  }
  const { standardError, degrees, blockLength, effectiveSize } = uncertaintyOfMean(influence);
  return { halfWidth: studentHalfWidth(level, degrees) * standardError, blockLength, effectiveSize };
}

/**
 * @param a a finite value for each cycle, in order
 * @param b of the same cycles
 * @returns undefined of no cycles; the interval of fewer than three cycles is unbounded
 * @throws RangeError where the two are of different length
 */
export function compareSeries(
  a: readonly number[],
  b: readonly number[],
  { goal = 'least', level = USUAL_LEVEL }: ComparisonOptions = {},
): SeriesDifference | undefined {
  if (a.length !== b.length) throw new RangeError(`${a.length} cycles against ${b.length}: pairs are needed`);
  if (a.length === 0) return undefined;
  const [of, against] = [towards(a, goal), towards(b, goal)];
  const scale = scaleOf(goal, [...of, ...against]);
  const [ofMean, againstMean] = [meanOf(of), meanOf(against)];
  // To first order, ln(mean a/mean b) moves with a single cycle as a/mean a − b/mean b does.
  const influence = of.map((value, t) =>
    scale === 'relative' ? value / ofMean - against[t] / againstMean : value - against[t],
  );
  const { halfWidth, blockLength, effectiveSize } = uncertaintyOf(influence, level);
  const estimate = scale === 'relative' ? Math.log(ofMean / againstMean) : ofMean - againstMean;
  const interval = { estimate, low: estimate - halfWidth, high: estimate + halfWidth, level, coverage: level };
  return {
    pairs: a.length,
    wins: of.filter((value, t) => (value - against[t]) * directionOf(goal) < 0).length,
    ties: of.filter((value, t) => value === against[t]).length,
    change: scale === 'relative' ? fromLogarithm(interval) : { ...interval, scale },
    blockLength,
    effectiveSize,
  };
}
