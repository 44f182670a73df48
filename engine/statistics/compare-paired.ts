/**
 * Two methods over the same seeds: the median of the differences seed by seed with the exact interval that `medianInterval` gives,
 * and the verdict of a sign test at the same level. The interval excludes zero exactly if the test names a winner; at 95 % that
 * takes six seeds or more. Seeds are independent, so the test keeps its level whatever the distribution of the errors.
 */
import { directionOf, exchange, fromLogarithm, scaleOf, towards } from './words.ts';
import type { Change, Comparison, Goal, Verdict, Difference } from './words.ts';
import { medianInterval, USUAL_LEVEL, fairCoinTail, studentHalfWidth } from './quantile.ts';
import { uncertaintyOfMean } from './block-bootstrap.ts';

/**
 * Describes how two methods differed over the cycles of one run: the ratio of their mean errors, the cycles won, and an interval by
 * the stationary bootstrap with Student's t. It names no winner, see README.md: the interval covers other cycles of the same truth,
 * observations and random numbers, and says nothing about another seed.
 */
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

export interface PairedComparison extends Comparison {
  /** Probability of the two-sided sign test: how often equal methods would differ on as many seeds or more. Ties count against a difference. */
  readonly probability: number;
  /** Seeds in which one of the two has no value because it diverged: it loses against the one that has a value. */
  readonly absent: { readonly a: number; readonly b: number };
}

export interface ComparisonOptions {
  readonly goal?: Goal;
  /** Level of the interval. */
  readonly level?: number;
}

type Value = number | null;

function isPresent(value: Value): value is number {
  return value !== null && Number.isFinite(value);
}

/** @returns the probability of the two-sided sign test, of pairs of which `wins` and `losses` are decided */
function signTest(pairs: number, wins: number, losses: number): number {
  return Math.min(1, 2 * fairCoinTail(pairs - Math.max(wins, losses), pairs));
}

/** @returns the least probability that so many pairs can have: that of a method that is better in each of them */
function leastProbability(pairs: number): number {
  return signTest(pairs, pairs, 0);
}

/** @returns which of the two won more pairs */
function leaderOf({ pairs, wins, ties }: Pick<Comparison, 'pairs' | 'wins' | 'ties'>): 'a' | 'b' {
  return wins > pairs - wins - ties ? 'a' : 'b';
}

/** @returns the comparison of b with a */
function exchangePaired(comparison: PairedComparison): PairedComparison {
  const { a, b } = comparison.absent;
  return { ...exchange(comparison), absent: { a: b, b: a } };
}

/** @param allowed the largest probability with which a winner is named */
function verdictOf(found: Omit<PairedComparison, 'verdict'>, allowed: number): Verdict {
  if (leastProbability(found.pairs) > allowed) return 'too-few';
  return found.probability <= allowed ? leaderOf(found) : 'undecided';
}

/** Half of the pairs infinitely better, half infinitely worse: the middle is no difference. */
function medianChange(differences: readonly number[], scale: Change['scale'], level: number): Change {
  const interval = medianInterval(differences, { level });
  const estimate = Number.isNaN(interval.estimate) ? 0 : interval.estimate;
  return scale === 'relative' ? fromLogarithm({ ...interval, estimate }) : { ...interval, estimate, scale };
}

/**
 * @param a a value for each seed; null (or not finite) if the method diverged
 * @param b of the same seeds in the same order; a seed in which neither has a value is omitted
 * @returns undefined if no pair remains
 * @throws RangeError where the two are of different length
 */
export function comparePaired(
  a: readonly Value[],
  b: readonly Value[],
  { goal = 'least', level = USUAL_LEVEL }: ComparisonOptions = {},
): PairedComparison | undefined {
  if (a.length !== b.length) throw new RangeError(`${a.length} values against ${b.length}: pairs are needed`);
  const both = a.flatMap((value, index) => {
    const other = b[index];
    return isPresent(value) || isPresent(other) ? [{ a: value, b: other }] : [];
  });
  if (both.length === 0) return undefined;
  const scale = scaleOf(goal, both.flatMap((pair) => [pair.a, pair.b]).filter(isPresent));
  const worst = directionOf(goal) * Infinity;
  const differences = both.map((pair) => {
    if (!isPresent(pair.a)) return worst;
    if (!isPresent(pair.b)) return -worst;
    const [of, against] = towards([pair.a, pair.b], goal);
    return scale === 'relative' ? Math.log(of / against) : of - against;
  });
  const [wins, ties] = [
    differences.filter((difference) => difference * directionOf(goal) < 0).length,
    differences.filter((difference) => difference === 0).length,
  ];
  const found = {
    pairs: both.length,
    wins,
    ties,
    absent: {
      a: both.filter((pair) => !isPresent(pair.a)).length,
      b: both.filter((pair) => !isPresent(pair.b)).length,
    },
    change: medianChange(differences, scale, level),
    probability: signTest(both.length, wins, both.length - wins - ties),
  };
  return { ...found, verdict: verdictOf(found, 1 - level) };
}

type Values = readonly (number | null)[];

/**
 * Several methods over the same seeds. Comparisons between them are many, and the method that they are compared with is often
 * chosen after the fact because it has the least error, so that each verdict by itself would be wrong too often: of four equal
 * methods over ten seeds one would be named better in 9 % of cases, over twenty in 16 %. The verdicts here are corrected by Holm's
 * procedure over all pairs of methods, which bounds the probability of any wrong verdict by 1 − level whichever pairs are looked
 * at. [holm1979]
 *
 * Comparisons of a family by two indices of its methods.
 */
export interface PairedFamily {
  /** @returns the comparison of a with b; undefined if no seed has a value of either */
  readonly between: (a: number, b: number) => PairedComparison | undefined;
  /** Comparisons for which the verdicts are corrected: of methods that give the same values, one counts. */
  readonly size: number;
}

function isSame(a: Values, b: Values): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

function pairsOf<Item>(items: readonly Item[]): (readonly [Item, Item])[] {
  return items.flatMap((a, index) => items.slice(index + 1).map((b) => [a, b] as const));
}

interface Entry {
  readonly a: number;
  readonly b: number;
  readonly found: PairedComparison;
}

/** Holm's step-down: the k-th smallest of m probabilities is multiplied by m − k + 1, and is at least those before it. */
function corrected(entries: readonly Entry[], level: number): Entry[] {
  const sorted = entries.toSorted((one, other) => one.found.probability - other.found.probability);
  let largest = 0;
  return sorted.map(({ found, ...pair }, index) => {
    const remaining = sorted.length - index;
    const probability = Math.min(1, Math.max(largest, remaining * found.probability));
    largest = probability;
    const isPossible = sorted.length * leastProbability(found.pairs) <= 1 - level;
    const verdict: Verdict = probability <= 1 - level ? leaderOf(found) : isPossible ? 'undecided' : 'too-few';
    return { ...pair, found: { ...found, probability, verdict } };
  });
}

/**
 * @param methods the values of each method by seed, as for `comparePaired`; the seeds of all are the same
 * @throws RangeError if the methods have different numbers of seeds
 */
export function compareFamily(methods: readonly Values[], options: ComparisonOptions = {}): PairedFamily {
  const { level = USUAL_LEVEL } = options;
  // Methods with the same values are one method, to which no setting makes a difference.
  const first = methods.map((values) => methods.findIndex((other) => isSame(other, values)));
  const entries = pairsOf([...new Set(first)]).flatMap(([a, b]): Entry[] => {
    const found = comparePaired(methods[a], methods[b], options);
    return found ? [{ a, b, found }] : [];
  });
  const family = corrected(entries, level);
  return {
    size: family.length,
    between(a, b) {
      const [one, other] = [first[a], first[b]];
      if (one === other) return comparePaired(methods[a], methods[b], options);
      const entry = family.find((each) => each.a === Math.min(one, other) && each.b === Math.max(one, other));
      return entry && (entry.a === one ? entry.found : exchangePaired(entry.found));
    },
  };
}

/** @returns the number of seeds with which a method that is better on each of them is named best among so many methods */
export function fewestSeeds(methods: number, level = USUAL_LEVEL): number {
  const comparisons = Math.max(1, (methods * (methods - 1)) / 2);
  let seeds = 1;
  while (comparisons * leastProbability(seeds) > 1 - level) seeds += 1;
  return seeds;
}
