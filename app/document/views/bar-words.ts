/** The text beside a colour bar, on screen and in pictures: its field with the unit, and the ends of its range. */
import { ABSENT, formatNumber, scientific } from '../../format/numbers.ts';
import { withUnit } from '../../fields/fields.ts';
import type { Range } from '../../fields/ranges.ts';
import type { FieldWords } from './shown-planes.ts';

/** @returns the power of ten that all numbers of a range share, so that these stay short; 0 where they are short */
export function sharedExponent({ from, to }: Range): number {
  const size = Math.max(Math.abs(from), Math.abs(to));
  return size > 0 && (size < 0.01 || size >= 1e4) ? Math.floor(Math.log10(size) + 1e-9) : 0;
}

/**
 * @param isKnown whether the range is of numbers that were seen: a placeholder has no ends to show
 * @returns ends and middle of a range as texts, in units of its shared power of ten
 */
export function barTexts({ from, to }: Range, isKnown: boolean): readonly [string, string, string] {
  if (!isKnown) return [ABSENT, ABSENT, ABSENT];
  const unit = 10 ** sharedExponent({ from, to });
  return [formatNumber(from / unit), formatNumber((from + to) / 2 / unit), formatNumber(to / unit)];
}

/** @returns `η (m)`, or `ζ (1e−5 1/s)` */
export function barTitle({ symbol, unit }: Pick<FieldWords, 'symbol' | 'unit'>, range: Range): string {
  const exponent = sharedExponent(range);
  return withUnit(symbol, `${exponent === 0 ? '' : `${scientific(1, exponent)} `}${unit}`.trim());
}
