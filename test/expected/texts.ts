/**
 * Fills numbers into the texts of a scenario, from the results and claims that its file holds, so that no text can quote a number that
 * is not there. `{letkf skill}` is a median with its range, `{letkf skill median}` the median alone, `{letkf@variant skill}` that of a
 * variant, `{letkf rmse_analysis_h median mm}` in a unit, `{claim NAME seeds}` with how many seeds a claim holds, and `{seeds}` their number.
 */
import type { ExpectedResults } from '../../engine/index.ts';

interface Range {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/** What a value is multiplied by, and what follows it. */
const UNITS: Readonly<Record<string, readonly [factor: number, suffix: string]>> = {
  '%': [100, ' %'],
  mm: [1000, ' mm'],
  cm: [100, ' cm'],
  'cm/s': [100, ' cm/s'],
  plain: [1, ''],
};
const NEAREST_SMALL = 3;

function isRange(value: unknown): value is Range {
  return typeof value === 'object' && value !== null && 'median' in value;
}

function number(value: number, factor: number): string {
  const scaled = value * factor;
  const digits = Math.abs(scaled) >= NEAREST_SMALL ? scaled.toFixed(0) : String(Number(scaled.toPrecision(2)));
  return (digits === '-0' ? '0' : digits).replace('-', '−');
}

function write(range: Range, part: string, unit: string): string {
  const [factor, suffix] = UNITS[unit] ?? [1, ` ${unit}`];
  if (part === 'median' || part === 'low' || part === 'high') return `${number(range[part], factor)}${suffix}`;
  return `${number(range.median, factor)}${suffix} (${number(range.low, factor)} to ${number(range.high, factor)})`;
}

/** `rmse_analysis_h` is `analysis.h` of the file's results. */
function rangeNamed(result: ExpectedResults['results'][string] | undefined, key: string): Range | undefined {
  if (key === 'skill') return result?.skill;
  if (key === 'skill_pattern') return result?.skillPattern;
  const match = /^(rmse_forecast|rmse_analysis|spread_analysis|rmse_pattern_analysis)_(\w+)$/.exec(key);
  const section = {
    rmse_forecast: result?.forecast,
    rmse_analysis: result?.analysis,
    spread_analysis: result?.spread,
    rmse_pattern_analysis: result?.pattern,
  }[match?.[1] ?? ''] as Readonly<Record<string, unknown>> | undefined;
  const found = section?.[match?.[2] ?? ''];
  return isRange(found) ? found : undefined;
}

function ofClaim(expected: ExpectedResults, name: string, part: string, unit: string): string {
  const found = expected.claims?.find((claim) => claim.name === name)?.found;
  if (!found) throw new Error(`there is no claim ${name} that was checked`);
  const { holds, of, value, ownValue } = found;
  if (part === 'seeds') return holds === of ? `all ${of} seeds` : `${holds} of ${of} seeds`;
  if (part === 'own' && ownValue !== undefined) return write({ median: ownValue, low: 0, high: 0 }, 'median', unit);
  if (!value) throw new Error(`the claim ${name} has no value`);
  if (part !== 'less') return write(value, part, unit);
  return write({ median: 1 - value.median, low: 1 - value.high, high: 1 - value.low }, 'median', '%');
}

function fillPlace(expected: ExpectedResults, words: readonly string[]): string {
  if (words.length === 1 && words[0] === 'seeds') return String(expected.seeds.length);
  if (words[0] === 'claim') return ofClaim(expected, words[1], words[2], words[3] ?? 'plain');
  const [subject, key, ...rest] = words;
  const [label, variant] = subject.split('@');
  const results = variant === undefined ? expected.results : expected.variants?.[variant]?.results;
  const range = rangeNamed(results?.[label], key);
  if (!range) throw new Error(`there is no ${key} of ${subject}`);
  const part = rest.find((word) => ['median', 'low', 'high'].includes(word)) ?? 'range';
  const unit = rest.find((word) => word !== part) ?? (key.startsWith('skill') ? '%' : 'plain');
  return write(range, part, unit);
}

/** @throws Error naming what a place asks for that is not there */
export function fillText(template: string, expected: ExpectedResults): string {
  return template.replaceAll(/\{([^{}]+)\}/g, (_, place: string) => fillPlace(expected, place.split(' ')));
}
