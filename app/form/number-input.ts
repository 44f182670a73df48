/** How numbers are typed, stepped and shown. */
import { formatNumber } from '../format/numbers.ts';
import type { NumberRange } from './form-nodes.ts';

/** @returns the number, or undefined for what is not one; a decimal comma and a minus sign as printed are understood */
export function parseNumber(text: string): number | undefined {
  const plain = text.trim().replace('−', '-').replace(',', '.');
  if (!/^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(plain)) return undefined;
  const value = Number(plain);
  return Number.isFinite(value) ? value : undefined;
}

/** @returns the number as it is typed: every digit that it has */
export function writeNumber(value: unknown): string {
  return typeof value === 'number' ? String(value) : '';
}

/** Whether a number is there, and written without an exponent, which attributes for assistive technology do not take. */
export function isPlain(value: number | undefined): value is number {
  return value !== undefined && !String(value).includes('e');
}

/** One step of a number: whole ones by 1, others by a tenth, a half or the whole of their leading power of ten. */
export function stepOf(value: number, integer: boolean): number {
  if (integer) return 1;
  if (value === 0) return 0.1;
  const power = 10 ** Math.floor(Math.log10(Math.abs(value)) + 1e-9);
  const leading = Math.abs(value) / power;
  return power * (leading < 2 ? 0.1 : leading < 5 ? 0.5 : 1);
}

/**
 * @param steps up (above 0) or down
 * @returns the next number on the grid of its step, within the range
 */
export function stepNumber(value: number, steps: number, integer: boolean, range: NumberRange): number {
  const step = stepOf(value, integer);
  const next = Number(((Math.round(value / step) + steps) * step).toPrecision(12));
  const { minimum = -Infinity, maximum = Infinity, exclusiveMinimum = -Infinity, exclusiveMaximum = Infinity } = range;
  if (next <= exclusiveMinimum || next >= exclusiveMaximum) return value;
  return Math.min(maximum, Math.max(minimum, next));
}

/** @returns what is allowed, in a few words: `0 to 1`, `above 0`; empty where everything is */
export function rangeText({ minimum, exclusiveMinimum, maximum, exclusiveMaximum }: NumberRange): string {
  const low =
    minimum !== undefined
      ? formatNumber(minimum)
      : exclusiveMinimum !== undefined
        ? `above ${formatNumber(exclusiveMinimum)}`
        : '';
  const high =
    maximum !== undefined
      ? formatNumber(maximum)
      : exclusiveMaximum !== undefined
        ? `below ${formatNumber(exclusiveMaximum)}`
        : '';
  if (low === '') return high === '' ? '' : maximum === undefined ? high : `at most ${high}`;
  if (high === '') return minimum === undefined ? low : `at least ${low}`;
  return exclusiveMaximum === undefined || maximum !== undefined ? `${low} to ${high}` : `${low}, ${high}`;
}

/** @returns lists of numbers from text, an entry a line; undefined where a line is not one */
export function parseRows(text: string, columns: number): number[] | number[][] | undefined {
  const rows = text
    .split('\n')
    .map((line) => line.trim())
    .filter(Boolean)
    .map((line) => line.split(/[\s;]+|,\s+|,(?=\S)/).map(parseNumber));
  if (rows.some((row) => row.length !== columns || row.includes(undefined))) return undefined;
  const numbers = rows as number[][];
  return columns === 1 ? numbers.map(([value]) => value) : numbers;
}

/** @returns an entry a line */
export function writeRows(value: unknown): string {
  if (!Array.isArray(value)) return '';
  return (value as unknown[]).map((row) => (Array.isArray(row) ? row.join(', ') : String(row))).join('\n');
}
