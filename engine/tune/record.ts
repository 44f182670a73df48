/** What a tuning leaves in a scenario: its settings, and the scan that found them. */
import { isRecord, type ExpectedResults } from '../scenario/index.ts';
import { medianInterval } from '../statistics/index.ts';
import { withinSentence } from '../words.ts';
import { describeTuning } from './describe.ts';
import { withPoint, type TuningMeasure } from './plan.ts';
import type { TuningResult } from './consistency.ts';
import type { TriedPoint } from './search.ts';

export type ScanRecord = NonNullable<ExpectedResults['scans']>[number];

/** Digits that are kept of a number in a scenario file. */
const DIGITS = 4;
/** Characters of a verdict that the file has room for. */
const MOST_VERDICT = 4000;

/** @returns a number with as many digits as a scenario's expected results have */
export function rounded(value: number): number {
  return Number(value.toPrecision(DIGITS));
}

/** @returns what combinations were judged by, in words: `skill against the free run, largest is best` */
function measureWords({ title, unit, best }: TuningMeasure, hasWarned: boolean): string {
  const goal = typeof best === 'object' ? `nearest to ${best.near}` : { most: 'largest', least: 'smallest' }[best];
  const untaken = hasWarned ? '; of settings that are warned of none is taken' : '';
  return `${withinSentence(title)}${unit === '' ? '' : `, ${unit}`}, ${goal} is best${untaken}`;
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
 * @returns a copy with the record in place of an earlier one of the same settings
 * @throws RangeError without a best point
 */
export function withScanRecord(raw: unknown, result: TuningResult): Readonly<Record<string, unknown>> {
  const record = scanRecord(result);
  const scenario = isRecord(raw) ? raw : {};
  const before = isRecord(scenario['expected']) ? scenario['expected'] : { seeds: [...result.seeds], results: {} };
  const scans = Array.isArray(before['scans']) ? (before['scans'] as unknown[]) : [];
  return { ...scenario, expected: { ...before, scans: [...scans.filter((each) => !isOfSame(record, each)), record] } };
}

/** @returns a copy without the results that other values make untrue: those of the method, or all where a setting is not its own */
function withoutUntrueResults(raw: Readonly<Record<string, unknown>>, { parameters, method, found }: TuningResult) {
  const { expected } = raw;
  const isAsBefore = parameters.every(({ present }, axis) => present === found?.best.values[axis]);
  if (isAsBefore || !isRecord(expected) || !isRecord(expected['results'])) return raw;
  const isOwn = parameters.every(({ name, path }) => name !== path);
  const kept = Object.entries(expected['results']).filter(([label]) => isOwn && label !== method);
  return { ...raw, expected: { ...expected, results: Object.fromEntries(kept) } };
}

/**
 * @param raw the scenario as its file has it; it is not changed
 * @returns a copy with the best values and the record, without results that are no longer so
 * @throws RangeError without a best point
 */
export function tunedScenario(raw: unknown, result: TuningResult): Readonly<Record<string, unknown>> {
  const recorded = withScanRecord(raw, result);
  const changed = withPoint(recorded, result.parameters, result.found?.best.values ?? []);
  return withoutUntrueResults(changed as Readonly<Record<string, unknown>>, result);
}
