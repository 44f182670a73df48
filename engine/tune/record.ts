/** What a tuning leaves in a scenario: its settings, and the scan that found them. */
import { isRecord } from '../scenario/index.ts';
import type { ExpectedResults } from '../scenario/index.ts';
import { medianInterval } from '../statistics/index.ts';
import { describeTuning } from './describe.ts';
import { withPoint } from './plan.ts';
import type { TuningMeasure } from './plan.ts';
import type { TuningResult } from './result.ts';
import type { TriedPoint } from './search.ts';

export type ScanRecord = NonNullable<ExpectedResults['scans']>[number];

/** Digits that are kept of a number in a scenario file. */
const DIGITS = 4;
/** Characters of a verdict that the file has room for. */
const MOST_VERDICT = 4000;

export function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** @returns what combinations were judged by, in words: `skill against the free run, largest is best` */
function measureWords({ title, unit, best }: TuningMeasure, hasWarned: boolean): string {
  const goal = typeof best === 'object' ? `nearest to ${best.near}` : { most: 'largest', least: 'smallest' }[best];
  const untaken = hasWarned ? '; of settings that are warned of none is taken' : '';
  return `${title[0].toLowerCase()}${title.slice(1)}${unit === '' ? '' : `, ${unit}`}, ${goal} is best${untaken}`;
}

function rowOf({ values, median, outcomes }: TriedPoint): ScanRecord['table'][number] {
  if (median === null) return { values: [...values], median };
  const { low, high } = medianInterval(outcomes.flatMap(({ value }) => value ?? []));
  return { values: [...values], median: rounded(median), low: rounded(low), high: rounded(high) };
}

/** @throws RangeError without a best point: nothing was found that could be recorded */
export function scanRecord(result: TuningResult): ScanRecord {
  const { found, parameters, points, method, measure, seeds } = result;
  if (!found) throw new RangeError('there is no best setting to record');
  const along = (axis: number): number[] =>
    [...new Set(points.map(({ values }) => values[axis]))].sort((a, b) => a - b);
  return {
    method,
    parameters: Object.fromEntries(parameters.map(({ name }, axis) => [name, along(axis)])),
    measure: measureWords(
      measure,
      points.some(({ isWarned }) => isWarned),
    ),
    seeds: [...seeds],
    table: points.map(rowOf),
    best: [...found.best.values],
    verdict: describeTuning(result).join(' ').slice(0, MOST_VERDICT),
  };
}

function isOfSame(a: ScanRecord, b: unknown): boolean {
  if (!isRecord(b) || b['method'] !== a.method || !isRecord(b['parameters'])) return false;
  const [own, other] = [Object.keys(a.parameters), Object.keys(b['parameters'])];
  return own.length === other.length && own.every((name) => other.includes(name));
}

/**
 * @param raw the scenario as its file has it; it is not changed
 * @returns a copy with the best values, and with the record in place of an earlier one of the same settings. Results that the
 *   values make untrue are taken out: those of the method, or all where a setting is not the method's own
 * @throws RangeError without a best point
 */
export function tunedScenario(raw: unknown, result: TuningResult): Readonly<Record<string, unknown>> {
  const { found, parameters, method, seeds } = result;
  const record = scanRecord(result);
  const changed = withPoint(raw, parameters, found?.best.values ?? []) as Readonly<Record<string, unknown>>;
  const before = isRecord(changed['expected']) ? changed['expected'] : { seeds: [...seeds], results: {} };
  const scans = Array.isArray(before['scans']) ? (before['scans'] as unknown[]) : [];
  const isAsBefore = parameters.every(({ present }, axis) => present === found?.best.values[axis]);
  const isOwn = parameters.every(({ name, path }) => name !== path);
  const known = isRecord(before['results']) ? Object.entries(before['results']) : [];
  const kept = isAsBefore ? known : known.filter(([label]) => isOwn && label !== method);
  return {
    ...changed,
    expected: {
      ...before,
      results: Object.fromEntries(kept),
      scans: [...scans.filter((each) => !isOfSame(record, each)), record],
    },
  };
}
