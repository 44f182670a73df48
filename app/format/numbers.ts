/** Numbers and times as people read them: few digits, one minus sign, powers of ten only if nothing else fits. */
import { format } from 'd3';
import type { World } from '../fields/fields.ts';

/** Decimals of a time that has no unit: steps of a twentieth are distinguishable. */
const DECIMALS_WITHOUT_UNIT = 2;

/**
 * @param world a ring's times have no unit
 * @returns model time with a unit that suits it; tenths of seconds below an hour
 */
export function formatModelTime(seconds: number, world?: World): { readonly text: string; readonly unit: string } {
  if (world?.isRing) return { text: seconds.toFixed(DECIMALS_WITHOUT_UNIT), unit: '' };
  const size = Math.abs(seconds);
  if (size < 3600) return { text: seconds.toFixed(1), unit: 's' };
  if (size < 172_800) return { text: (seconds / 3600).toFixed(2), unit: 'h' };
  return { text: (seconds / 86_400).toFixed(2), unit: 'd' };
}

/** @returns how long something takes, as `3 s`, `2 min 10 s` or `1 h 5 min` */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}

/** @returns bytes in the binary unit that suits them */
export function formatBytes(bytes: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  const power = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log2(bytes) / 10));
  return `${Number((bytes / 1024 ** power).toPrecision(3))} ${units[power]}`;
}

/** @returns words in which no line ends between a number and its unit, or its percent sign */
export function unbroken(words: string): string {
  return words.replaceAll(/(\d) (?=%|(?:[ck]?m|s|h)\b)/g, '$1\u00a0');
}

const fixed = format('.3~r');
const measured = format('.3r');
const small = format('.2~e');
const measuredSmall = format('.2e');

/** The text for a missing number. */
export const ABSENT = '–';

/**
 * @returns a number in E notation, `1.2e−5`. The bundled fonts have no superscript minus and few superscript digits, so that
 * powers of ten in plain text do without them; where markup is possible, `splitPower` gives its parts.
 */
export function scientific(mantissa: number | string, exponent: number): string {
  return `${mantissa}e${exponent}`.replaceAll('-', '−');
}

/** Turns `1.2e-5` of d3 into `1.2e−5`. */
function powerOfTen(text: string): string {
  const [mantissa, exponent] = text.replace('−', '-').split('e');
  return scientific(mantissa, Number(exponent));
}

/** @returns the parts of `2e−5` as they are set with a raised exponent, `2·10` and `−5`; undefined for another text */
export function splitPower(text: string): { readonly base: string; readonly exponent: string } | undefined {
  const [, mantissa, exponent] = /^(−?[\d.]+)e(−?\d+)$/.exec(text) ?? [];
  if (mantissa === undefined || exponent === undefined) return undefined;
  return { base: mantissa === '1' ? '10' : `${mantissa}·10`, exponent };
}

/** @returns three significant digits, which is more than a seed's difference leaves certain; `–` for what is not finite */
export function formatNumber(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return ABSENT;
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size < 1e-3 || size >= 1e5 ? powerOfTen(small(value)) : fixed(value);
}

/** As wide as a digit in the type of numbers, and not seen. */
const BLANK = '\u00a0';

/** @returns what was measured, always in three significant digits: `0.0180`, where `formatNumber` has `0.018` */
export function formatMeasured(value: number | null | undefined): string {
  if (value === null || value === undefined || !Number.isFinite(value)) return ABSENT;
  if (value === 0) return '0';
  const size = Math.abs(value);
  return size < 1e-3 || size >= 1e5 ? powerOfTen(measuredSmall(value)) : measured(value);
}

/** @returns measured numbers in a column: the same digits in each, and decimal points in one line */
export function formatColumn(values: readonly (number | null | undefined)[]): string[] {
  const texts = values.map(formatMeasured);
  // Letters from the decimal point on; powers of ten, and missing numbers, are aligned by themselves.
  const decimals = texts.map((text) => (text.includes('.') ? text.length - text.indexOf('.') : 0));
  const isAlone = texts.map((text) => text === ABSENT || text.includes('e'));
  const most = Math.max(0, ...decimals.filter((_, n) => !isAlone[n]));
  return texts.map((text, n) => (isAlone[n] ? text : text + BLANK.repeat(most - decimals[n])));
}

/** Digits of the longest of several times. */
const TIME_DIGITS = 3;
/** Decimals of times below each other, at most. */
const MOST_DECIMALS = 2;

function isThere(value: number | null | undefined): value is number {
  return Number.isFinite(value);
}

/** @returns milliseconds in a column, with as many decimals in each as the longest needs; `<0.1` for less */
export function formatTimes(values: readonly (number | null | undefined)[]): string[] {
  const most = Math.max(0, ...values.filter(isThere));
  const wanted = TIME_DIGITS - 1 - Math.floor(Math.log10(Math.max(most, 1e-9)));
  const decimals = Math.max(0, Math.min(MOST_DECIMALS, wanted));
  const least = 10 ** -decimals;
  return values.map((value) => {
    if (!isThere(value)) return ABSENT;
    return value > 0 && value < least / 2 ? `<${least}` : value.toFixed(decimals);
  });
}

/** @returns the number with its unit, `0.041 m`; without one for a pure number */
export function formatQuantity(value: number | null | undefined, unit: string): string {
  const text = formatNumber(value);
  return unit === '' || text === ABSENT ? text : `${text}\u00a0${unit}`;
}

/** @returns a share as a percentage, `87.3 %` */
export function formatPercent(share: number | null): string {
  if (share === null || !Number.isFinite(share)) return ABSENT;
  return `${(100 * share).toFixed(1).replace('-', '−')}\u00a0%`;
}

/** @returns a p-value: two digits, and `< 0.001` where it is smaller */
export function formatProbability(p: number): string {
  if (!Number.isFinite(p)) return ABSENT;
  if (p < 0.001) return '< 0.001';
  return p.toPrecision(2);
}
