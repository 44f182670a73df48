/** How two methods differ, and which of them is better: the types and the arithmetic that every comparison shares. */
import type { Interval } from './quantile.ts';

/** What good looks like: the least, the most, or as near to a value as can be. */
export type Goal = 'least' | 'most' | { readonly near: number };

/** Over seeds. `too-few`: whatever the values are, there are not enough of them to name a winner. */
export type Verdict = 'a' | 'b' | 'undecided' | 'too-few';

/** Change of a against b. `relative`: a/b − 1; `absolute`: a − b, of the distances where the goal is to be near to a value. */
export interface Change extends Interval {
  readonly scale: 'relative' | 'absolute';
}

/** How a differs from b, which names no winner. */
export interface Difference {
  /** Seeds, or cycles. */
  readonly pairs: number;
  /** In how many of them a is better; b is in `pairs` − `wins` − `ties`. */
  readonly wins: number;
  readonly ties: number;
  readonly change: Change;
}

/** A difference over independent pairs, as seeds are, with the winner if there is one. */
export interface Comparison extends Difference {
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

/** @returns the change of b against a */
export function exchangeChange(change: Change): Change {
  const turned = (value: number): number => (change.scale === 'relative' ? 1 / (1 + value) - 1 : 0 - value);
  return { ...change, estimate: turned(change.estimate), low: turned(change.high), high: turned(change.low) };
}

const EXCHANGED: Readonly<Record<Verdict, Verdict>> = { a: 'b', b: 'a', undecided: 'undecided', 'too-few': 'too-few' };

/** @returns the comparison of b with a */
export function exchange<Kind extends Comparison>(comparison: Kind): Kind {
  const { pairs, wins, ties, change, verdict } = comparison;
  return {
    ...comparison,
    wins: pairs - wins - ties,
    change: exchangeChange(change),
    verdict: EXCHANGED[verdict],
  };
}
