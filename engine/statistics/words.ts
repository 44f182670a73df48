/** How two methods differ, and which of them is better: the types and arithmetic that every comparison shares, and its words. */
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

export interface Names {
  readonly a: string;
  readonly b: string;
}

const NO_CYCLES = 'no cycles in common';
const PERCENT = 100;
const MOST_DECIMALS = 4;

/** As many decimals as the interval's width is worth, and enough for no end to be rounded to zero that is none. */
function decimalsOf(values: readonly number[]): number {
  const finite = values.filter(Number.isFinite);
  const width = Math.max(...finite) - Math.min(...finite);
  const byWidth = width > 0 ? Math.ceil(Math.log10(5 / width)) : 1;
  const isLost = (decimals: number): boolean =>
    finite.some((value) => value !== 0 && Number(value.toFixed(decimals)) === 0);
  let decimals = Math.min(Math.max(byWidth, 0), MOST_DECIMALS);
  while (decimals < MOST_DECIMALS && isLost(decimals)) decimals += 1;
  return decimals;
}

function signed(value: number, decimals: number): string {
  if (!Number.isFinite(value)) return value < 0 ? '−∞' : '+∞';
  const size = Math.abs(value).toFixed(decimals);
  return `${Number(size) === 0 ? '' : value < 0 ? '−' : '+'}${size}`;
}

/**
 * @param unit of an absolute change
 * @returns `−12 %, 95 % −18 to −7 %`; of too few values, `−12 %`
 */
export function describeComparedChange({ scale, estimate, low, high, level, coverage }: Change, unit = ''): string {
  const factor = scale === 'relative' ? PERCENT : 1;
  const numbers = [estimate, low, high].map((value) => factor * value);
  const decimals = decimalsOf(numbers);
  const [middle, from, to] = numbers.map((value) => signed(value, decimals));
  const after = scale === 'relative' ? ' %' : unit === '' ? '' : ` ${unit}`;
  const ends = coverage < level ? 'range' : `${Number((PERCENT * level).toPrecision(3))} %`;
  return `${middle}${after}, ${ends} ${from} to ${to}${after}`;
}

/** The winner first; without a winner, the first. */
function winnerFirst<Kind extends Comparison>(comparison: Kind, { a, b }: Names): { of: string; found: Kind } {
  return comparison.verdict === 'b' ? { of: b, found: exchange(comparison) } : { of: a, found: comparison };
}

function isTheSame({ pairs, ties }: Difference): boolean {
  return pairs > 0 && ties === pairs;
}

function seedsWon({ wins, pairs }: Comparison): string {
  return `better on ${wins} of ${pairs} ${pairs === 1 ? 'seed' : 'seeds'}`;
}

/** @returns as in `letkf better on 9 of 10 seeds (−12 %, 95 % −18 to −7 %)` */
export function describePaired(comparison: Comparison, names: Names, unit = ''): string {
  if (isTheSame(comparison)) return `${names.a} and ${names.b} the same on each seed`;
  const { of, found } = winnerFirst(comparison, names);
  const begin = { undecided: 'undecided: ', 'too-few': 'too few seeds to say: ', a: '', b: '' }[found.verdict];
  return `${begin}${of} ${seedsWon(found)} (${describeComparedChange(found.change, unit)})`;
}

/** The first of two methods against the second over seeds, if a table names both: `worse on 9 of 10 seeds (+14 %, 95 % +8 to +22 %)`. */
export function describeAgainst(comparison: Comparison | undefined): string {
  if (comparison === undefined) return 'no seeds in common';
  if (isTheSame(comparison)) return 'the same';
  const { change, verdict, wins, ties, pairs } = comparison;
  const numbers = describeComparedChange(change);
  if (verdict === 'too-few') return `too few seeds to say (better on ${wins} of ${pairs}, ${numbers})`;
  if (verdict === 'undecided') return `undecided (better on ${wins} of ${pairs} seeds, ${numbers})`;
  const [word, won] = verdict === 'a' ? ['better', wins] : ['worse', pairs - wins - ties];
  return `${word} on ${won} of ${pairs} seeds (${numbers})`;
}

/** A difference over the cycles of a run; each pair is the mean of `stride` cycles. */
export interface DifferenceInRun extends Difference {
  readonly stride?: number;
}

/** Larger ratios say no more than that there is no comparison. */
const LARGEST_RATIO = 1000;

function ratioText(ratio: number, decimals: number): string {
  return ratio > LARGEST_RATIO ? `over ${LARGEST_RATIO}` : ratio.toFixed(decimals);
}

function twoDigits(value: number): number {
  return Math.min(Math.max(1 - Math.floor(Math.log10(value)), 0), MOST_DECIMALS);
}

/** The ratio of the ends of an interval above which it says nothing: so few cycles are independent. */
const WIDEST = 100;

/** The size of a difference and its interval, which is undefined if the cycles give no useful one: `3.9 times`, `3.0 to 5.0`. */
function sizeTexts({ scale, estimate, low, high }: Change): { readonly size: string; readonly interval?: string } {
  const isBounded = Number.isFinite(low) && Number.isFinite(high);
  if (scale === 'absolute') {
    const decimals = decimalsOf(isBounded ? [estimate, low, high] : [estimate]);
    const [size, from, to] = [estimate, low, high].map((value) => signed(value, decimals));
    return { size, ...(isBounded && { interval: `${from} to ${to}` }) };
  }
  const ratios = [1 + estimate, 1 + low, 1 + high];
  const isUseful = isBounded && ratios[2] <= WIDEST * ratios[1];
  const decimals = isUseful ? decimalsOf(ratios) : twoDigits(ratios[0]);
  const [size, from, to] = ratios.map((ratio) => ratioText(ratio, decimals));
  return { size: `${size} times`, ...(isUseful && { interval: `${from} to ${to}` }) };
}

/** `worse in 25 of 25 cycles`; of a long run, whose series is kept as means, `better in 100 of 125 stretches of 2 cycles`. */
function cyclesWon({ pairs, wins, ties, change: { estimate }, stride = 1 }: DifferenceInRun): string {
  const [word, won] = estimate > 0 ? ['worse', pairs - wins - ties] : ['better', wins];
  const what = stride === 1 ? 'cycle' : 'stretch';
  const plural = pairs === 1 ? what : stride === 1 ? 'cycles' : 'stretches';
  return `${word} in ${won} of ${pairs} ${plural}${stride === 1 ? '' : ` of ${stride} cycles`}`;
}

/**
 * A difference of errors over the cycles of one run, if a table names both methods and its caption the interval.
 *
 * @returns `3.9 times (3.0 to 5.0), worse in 25 of 25 cycles`
 */
export function describeInRun(difference: DifferenceInRun | undefined): string {
  if (difference === undefined) return NO_CYCLES;
  if (isTheSame(difference)) return 'the same';
  const { size, interval } = sizeTexts(difference.change);
  return `${size}${interval === undefined ? '' : ` (${interval})`}, ${cyclesWon(difference)}`;
}

/**
 * The same in full.
 *
 * @param against what the method is compared with
 * @returns `error 3.9 times that of letkf; worse in 25 of 25 cycles (95 % interval over this run's cycles: 3.0 to 5.0 times; other
 *   seeds may differ)`
 */
export function explainInRun(difference: DifferenceInRun | undefined, against: string): string {
  if (difference === undefined) return `${NO_CYCLES} with ${against}`;
  if (isTheSame(difference)) return `the same as ${against} in every cycle`;
  const { scale, level } = difference.change;
  const { size, interval } = sizeTexts(difference.change);
  const error = scale === 'relative' ? `error ${size} that of ${against}` : `error ${size} against that of ${against}`;
  const unit = scale === 'relative' ? ' times' : '';
  const share = Number((PERCENT * level).toPrecision(3));
  const range = interval === undefined ? '' : `${share} % interval over this run's cycles: ${interval}${unit}; `;
  return `${error}; ${cyclesWon(difference)} (${range}other seeds may differ)`;
}
