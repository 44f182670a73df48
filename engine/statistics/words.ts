/** A comparison in words: the one place where they are made. */
import { exchange } from './comparison.ts';
import type { Change, Comparison } from './comparison.ts';

export interface Names {
  readonly a: string;
  readonly b: string;
}

const TOO_FEW_CYCLES = 'too few independent cycles to say';
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

/** The winner first; where there is none, the first. */
function winnerFirst<Kind extends Comparison>(comparison: Kind, { a, b }: Names): { of: string; found: Kind } {
  return comparison.verdict === 'b' ? { of: b, found: exchange(comparison) } : { of: a, found: comparison };
}

function isTheSame({ pairs, ties }: Comparison): boolean {
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

/** What the first is against the second, where a table names both: `worse (+14 %, 95 % +8 to +22 %)`. */
export function describeAgainst(comparison: Comparison | undefined, over: 'cycles' | 'seeds'): string {
  if (comparison === undefined) return over === 'cycles' ? TOO_FEW_CYCLES : 'no seeds in common';
  if (isTheSame(comparison)) return 'the same';
  const { change, verdict, wins, ties, pairs } = comparison;
  const numbers = describeComparedChange(change);
  if (verdict === 'too-few') {
    return over === 'cycles' ? TOO_FEW_CYCLES : `too few seeds to say (better on ${wins} of ${pairs}, ${numbers})`;
  }
  const word = { a: 'better', b: 'worse', undecided: 'undecided' }[verdict];
  if (over === 'cycles') return `${word} (${numbers})`;
  if (verdict === 'undecided') return `undecided (better on ${wins} of ${pairs} seeds, ${numbers})`;
  return `${word} on ${verdict === 'a' ? wins : pairs - wins - ties} of ${pairs} seeds (${numbers})`;
}
