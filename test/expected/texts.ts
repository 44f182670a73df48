/**
 * Fills numbers into the texts of a scenario, from the results and claims that its file holds, so that no text can quote a number that
 * is not there. `{letkf skill}` is a median with its range, `{letkf skill median}` the median alone, `{letkf@variant skill}` that of a
 * variant, `{letkf rmse_analysis_h median mm}` in a unit, `{claim NAME seeds}` with how many seeds a claim holds, `{claim NAME less}` by how
 * much its ratio is below 1, `{seeds}` the number of seeds, and `{setting methods[2].inflation}` a setting of the file.
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
  km: [0.001, ' km'],
  m: [1, ' m'],
  plain: [1, ''],
};
/** Below it, two digits are written instead of whole numbers. */
const NEAREST_SMALL = 3;
const SETTING_DIGITS = 4;

/** The keys of a path: `methods[2].inflation`. */
export function keysOf(path: string): readonly (string | number)[] {
  return [...path.matchAll(/[^.[\]]+/g)].map(([key]) => (/^\d+$/.test(key) ? Number(key) : key));
}

export function valueAtPath(raw: unknown, path: string): unknown {
  return keysOf(path).reduce(
    (value, key) => (value as Readonly<Record<string | number, unknown>> | undefined)?.[key],
    raw,
  );
}

function ofSetting(raw: unknown, path: string, unit: string): string {
  const value = valueAtPath(raw, path);
  if (typeof value !== 'number') throw new Error(`there is no number ${path}`);
  const [factor, suffix] = UNITS[unit] ?? [1, ` ${unit}`];
  return `${Number((value * factor).toPrecision(SETTING_DIGITS))}${suffix}`;
}

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
  const { median } = value;
  if (part === 'less') return write({ ...value, median: 1 - median }, 'median', '%');
  if (part === 'more') return write({ ...value, median: median - 1 }, 'median', '%');
  return write(value, part, unit);
}

function fillPlace(raw: unknown, expected: ExpectedResults, words: readonly string[]): string {
  if (words[0] === 'setting') return ofSetting(raw, words[1], words[2] ?? 'plain');
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

/**
 * @param raw the file, for its settings
 * @throws Error naming what a place asks for that is not there
 */
export function fillText(template: string, expected: ExpectedResults, raw?: unknown): string {
  return template.replaceAll(/\{([^{}]+)\}/g, (_, place: string) => fillPlace(raw, expected, place.split(' ')));
}
