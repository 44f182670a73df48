/**
 * Two methods over the same seeds: the median of the differences seed by seed, with the exact interval that `medianInterval`
 * gives. It leaves zero just where a sign test at its level would tell the two apart; below six seeds it never can at 95 %.
 */
import { directionOf, fromLogarithm, scaleOf, towards, winnerOf } from './comparison.ts';
import type { Change, Comparison, Goal } from './comparison.ts';
import { medianInterval, USUAL_LEVEL } from './median-interval.ts';

export interface PairedComparison extends Comparison {
  /** Seeds in which one of the two has no value: it diverged, and loses against one that has. */
  readonly absent: { readonly a: number; readonly b: number };
}

export interface ComparisonOptions {
  readonly goal?: Goal;
  /** Of the interval. */
  readonly level?: number;
}

type Value = number | null;

function isPresent(value: Value): value is number {
  return value !== null && Number.isFinite(value);
}

/** Half of the pairs infinitely better, half infinitely worse: the middle is no difference. */
function medianChange(differences: readonly number[], scale: Change['scale'], level: number): Change {
  const interval = medianInterval(differences, { level });
  const estimate = Number.isNaN(interval.estimate) ? 0 : interval.estimate;
  return scale === 'relative' ? fromLogarithm({ ...interval, estimate }) : { ...interval, estimate, scale };
}

/**
 * @param a a value a seed; null (or not finite) where the method diverged
 * @param b of the same seeds in the same order; a seed in which neither has a value is left out
 * @returns undefined where no pair is left
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
  const change = medianChange(differences, scale, level);
  return {
    pairs: both.length,
    wins: differences.filter((difference) => difference * directionOf(goal) < 0).length,
    ties: differences.filter((difference) => difference === 0).length,
    absent: {
      a: both.filter((pair) => !isPresent(pair.a)).length,
      b: both.filter((pair) => !isPresent(pair.b)).length,
    },
    change,
    verdict: change.coverage < level ? 'too-few' : winnerOf(change, goal),
  };
}
