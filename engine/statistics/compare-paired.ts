/**
 * Two methods over the same seeds: the median of the differences seed by seed with the exact interval that `medianInterval` gives,
 * and the verdict of a sign test at the same level. The interval excludes zero exactly if the test names a winner; at 95 % that
 * takes six seeds or more. Seeds are independent, so the test keeps its level whatever the distribution of the errors.
 */
import { directionOf, exchange, fromLogarithm, scaleOf, towards } from './comparison.ts';
import type { Change, Comparison, Goal, Verdict } from './comparison.ts';
import { fairCoinTail } from './distributions.ts';
import { medianInterval, USUAL_LEVEL } from './median-interval.ts';

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
export function leastProbability(pairs: number): number {
  return signTest(pairs, pairs, 0);
}

/** @returns which of the two won more pairs */
export function leaderOf({ pairs, wins, ties }: Pick<Comparison, 'pairs' | 'wins' | 'ties'>): 'a' | 'b' {
  return wins > pairs - wins - ties ? 'a' : 'b';
}

/** @returns the comparison of b with a */
export function exchangePaired(comparison: PairedComparison): PairedComparison {
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
