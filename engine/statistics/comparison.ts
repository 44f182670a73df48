/** How the comparison of two methods comes out, by whatever test. */
import type { Interval } from './median-interval.ts';

/** What good looks like: the least, the most, or as near to a value as can be. */
export type Goal = 'least' | 'most' | { readonly near: number };

/** `too-few`: whatever the values are, there are not enough to name a winner. */
export type Verdict = 'a' | 'b' | 'undecided' | 'too-few';

/** Of a against b. `relative`: a/b − 1; `absolute`: a − b, of the distances where the goal is to be near to a value. */
export interface Change extends Interval {
  readonly scale: 'relative' | 'absolute';
}

export interface Comparison {
  /** Seeds, or cycles. */
  readonly pairs: number;
  /** In how many of them a is better; b is in `pairs` − `wins` − `ties`. */
  readonly wins: number;
  readonly ties: number;
  readonly change: Change;
  /** Names a winner only where the interval leaves zero. */
  readonly verdict: Verdict;
}

/** 1 where less is better, −1 where more is. */
export function directionOf(goal: Goal): 1 | -1 {
  return goal === 'most' ? -1 : 1;
}

/** @returns values of which the goal is the least or the most */
export function towards(values: readonly number[], goal: Goal): readonly number[] {
  return typeof goal === 'object' ? values.map((value) => Math.abs(value - goal.near)) : values;
}

/** Ratios say more than differences of what has a zero and lies above it, as errors do. */
export function scaleOf(goal: Goal, values: readonly number[]): Change['scale'] {
  return goal === 'least' && values.every((value) => value > 0) ? 'relative' : 'absolute';
}

/** @returns who is better by an interval, where it leaves zero */
export function winnerOf({ low, high }: Pick<Change, 'low' | 'high'>, goal: Goal): 'a' | 'b' | 'undecided' {
  if (low <= 0 && high >= 0) return 'undecided';
  return Math.sign(low + high) * directionOf(goal) < 0 ? 'a' : 'b';
}

/** @returns the ratio minus 1, of its logarithm */
export function fromLogarithm(interval: Interval): Change {
  const { estimate, low, high } = interval;
  return {
    ...interval,
    scale: 'relative',
    estimate: Math.expm1(estimate),
    low: Math.expm1(low),
    high: Math.expm1(high),
  };
}

/** @returns the same with the two changed for each other */
export function exchange<Kind extends Comparison>(comparison: Kind): Kind {
  const { pairs, wins, ties, change, verdict } = comparison;
  const turned = (value: number): number => (change.scale === 'relative' ? 1 / (1 + value) - 1 : 0 - value);
  return {
    ...comparison,
    wins: pairs - wins - ties,
    change: { ...change, estimate: turned(change.estimate), low: turned(change.high), high: turned(change.low) },
    verdict: verdict === 'a' ? 'b' : verdict === 'b' ? 'a' : verdict,
  };
}
