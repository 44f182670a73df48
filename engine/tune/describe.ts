/**
 * A tuning's result in words: the best setting, how sure it is, whether it is at an edge, and what its consistency says; and what it
 * leaves in the scenario.
 */
import { methodTuning, validateScenario, isRecord, type ExpectedResults } from '../scenario/index.ts';
import { listWords } from '../settings/index.ts';
import { describePaired, medianInterval, type PairedComparison } from '../statistics/index.ts';
import { isAgainstFreeRun } from '../sweep/index.ts';
import { withinSentence } from '../words.ts';
import { judgeConsistency, type ConsistencyFinding, type TuningVerdict, type TuningResult } from './consistency.ts';
import type { TuningParameter } from './parameter.ts';
import { withPoint, type TuningMeasure, type TuningPlan } from './plan.ts';
import type { Edge, Point, TriedPoint } from './search.ts';

const DIGITS = 3;

/** @returns a value of a measure as people read it, skill in percent */
export function measureText({ name, unit }: Pick<TuningMeasure, 'name' | 'unit'>, value: number): string {
  if (isAgainstFreeRun({ name })) return `${(100 * value).toFixed(1)} %`;
  return `${Number(value.toPrecision(DIGITS))}${unit === '' ? '' : ` ${unit}`}`;
}

function valueText({ unit }: Pick<TuningParameter, 'unit'>, value: number): string {
  return `${value}${unit === '' ? '' : ` ${unit}`}`;
}

/** @returns `half-width 5 m, inflation 1.05` */
export function pointText(parameters: readonly TuningParameter[], values: Point): string {
  return parameters.map((each, axis) => `${parameterTitle(each)} ${valueText(each, values[axis])}`).join(', ');
}

/** @returns what a setting is called in a sentence; that of a variable says what it is of: `standard deviation of h` */
export function parameterTitle({ title, name }: Pick<TuningParameter, 'title' | 'name'>): string {
  const around = name.split('.').at(-2);
  if (title.length > 2 || around === undefined) return title.toLowerCase();
  return `${around.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)} of ${title}`;
}

function bestText({ parameters, measure, seeds, found }: TuningResult & { readonly found: TuningVerdict }): string {
  const { best, interval } = found;
  const range = `${measureText(measure, interval.low)} to ${measureText(measure, interval.high)}`;
  const sure = interval.coverage < interval.level ? `range ${range}` : `${100 * interval.level} % interval ${range}`;
  const of = seeds.length === 1 ? 'one seed' : `the median of ${seeds.length} seeds`;
  const title = withinSentence(measure.title);
  return `Best: ${pointText(parameters, best.values)}, with ${title} ${measureText(measure, interval.estimate)}, ${of} (${seeds.length === 1 ? 'no interval' : sure}).`;
}

function presentText({ parameters, measure, found }: TuningResult & { readonly found: TuningVerdict }): string {
  const { present } = found;
  if (!present) {
    const isPresent = parameters.every((each, axis) => each.present === found.best.values[axis]);
    return isPresent ? 'It is the setting that the scenario has.' : '';
  }
  const { point, comparison } = present;
  const setting = `The scenario has ${pointText(parameters, point.values)}`;
  if (point.median === null) return `${setting}, which ${lostText(point)}.`;
  const compared = comparison ? `; ${comparedText(comparison, measure)}` : '';
  return `${setting}: ${measureText(measure, point.median)}${compared}.`;
}

/** The comparison in words; differences of skill are in points, since skill is in percent. */
function comparedText(comparison: PairedComparison, { name, unit }: TuningMeasure): string {
  const names = { a: 'the best', b: 'it' };
  const { change } = comparison;
  if (!isAgainstFreeRun({ name })) return describePaired(comparison, names, unit);
  const points = { ...change, estimate: 100 * change.estimate, low: 100 * change.low, high: 100 * change.high };
  return describePaired({ ...comparison, change: points }, names, 'points');
}

function lostText({ outcomes }: TriedPoint): string {
  const reason = outcomes.find((each) => each.reason !== undefined)?.reason;
  return reason === undefined ? 'diverges' : `could not be run: ${reason}`;
}

/** @returns the range of values of each parameter in some points: `half-width 4 to 7 m` */
function rangesText(parameters: readonly TuningParameter[], points: readonly Point[]): string {
  return parameters
    .map((parameter, axis) => {
      const along = points.map((values) => values[axis]);
      const [least, most] = [Math.min(...along), Math.max(...along)];
      const text = least === most ? valueText(parameter, least) : `${least} to ${valueText(parameter, most)}`;
      return `${parameterTitle(parameter)} ${text}`;
    })
    .join(', ');
}

function alikeText({ parameters, points, seeds, found }: TuningResult & { readonly found: TuningVerdict }): string {
  const { alike, best, interval } = found;
  if (points.length === 1) return '';
  if (interval.coverage < interval.level)
    return `With ${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'} no two settings differ significantly at ${100 * interval.level} %.`;
  if (alike.length === 0) return 'Every other setting is significantly different from it.';
  const ranges = rangesText(parameters, [best.values, ...alike]);
  return `${alike.length} of ${points.length - 1} others are not significantly different from it: ${ranges}. Of these, the best median is taken.`;
}

function edgeText({ parameter, side, value, isAllowedBeyond }: Edge): string {
  const extreme = side === 'least' ? 'least' : 'largest';
  const more = side === 'least' ? 'smaller' : 'larger';
  const end = isAllowedBeyond
    ? `${more} values would be allowed, and may be better`
    : `${more} ones are not allowed, or mean nothing here`;
  return `At the edge: ${parameterTitle(parameter)} ${valueText(parameter, value)} is the ${extreme} that was tried; ${end}.`;
}

function lossesText({ points }: TuningResult): string {
  const diverged = points.filter(({ outcomes }) =>
    outcomes.some(({ value, reason }) => value === null && reason === undefined),
  );
  const failed = points.flatMap(({ outcomes }) => outcomes.find(({ reason }) => reason !== undefined)?.reason ?? []);
  const warned = points.filter(({ isWarned }) => isWarned).length;
  const parts = [
    ...(diverged.length > 0 ? [`${diverged.length} diverged with one seed or more`] : []),
    ...(failed.length > 0 ? [`${failed.length} could not be run (${failed[0]})`] : []),
    ...(warned > 0 ? [`${warned} would earn a warning`] : []),
  ];
  return parts.length === 0 ? '' : `Of ${points.length} settings, ${listWords(parts, 'and')}; none of them is taken.`;
}

/** @returns sentences, in the order in which they matter; those of the consistency are `consistencyFindings` */
export function describeTuning(result: TuningResult): readonly string[] {
  const { found } = result;
  if (!found) return ['There is no best setting.', lossesText(result)].filter((text) => text !== '');
  const whole = { ...result, found };
  const texts = [
    bestText(whole),
    presentText(whole),
    alikeText(whole),
    ...found.edges.map(edgeText),
    lossesText(result),
  ];
  return texts.filter((text) => text !== '');
}

/** @returns what the best setting's consistency says, with what its kind of method offers as a remedy */
export function consistencyFindings(
  { raw, parameters }: Pick<TuningPlan, 'raw' | 'parameters'>,
  result: TuningResult,
): readonly ConsistencyFinding[] {
  const { found, consistency, method } = result;
  if (!found || !consistency) return [];
  const { scenario } = validateScenario(withPoint(raw, parameters, found.best.values), 'tuning');
  const remedies = methodTuning(scenario, method);
  return judgeConsistency(consistency, hasLargerDiverged(result) ? { ...remedies, larger: undefined } : remedies);
}

/** @returns whether a setting beyond the best one, larger in what was tuned, diverged: then more of it is no advice */
export function hasLargerDiverged({ found, points }: Pick<TuningResult, 'found' | 'points'>): boolean {
  const best = found?.best.values;
  if (!best) return false;
  return points.some(
    ({ values, outcomes }) =>
      values.every((value, axis) => value >= best[axis]) &&
      outcomes.some(({ value, reason }) => value === null && reason === undefined),
  );
}

/** @returns `Spread over error, forecast: 0.71 (good is near 1): the ensemble is underdispersive …` */
export function findingText({ title, value, good, says }: ConsistencyFinding): string {
  const number = title.startsWith('Truths')
    ? `${Number((100 * value).toPrecision(2))} %`
    : String(Number(value.toPrecision(DIGITS)));
  return `${title}: ${number} (good is ${good}): ${says}`;
}

/** What a tuning leaves in a scenario: its settings, and the scan that found them. */
export type ScanRecord = NonNullable<ExpectedResults['scans']>[number];

/** Digits that are kept of a number in a scenario file. */
const SCAN_DIGITS = 4;
/** Characters of a verdict that the file has room for. */
const MOST_VERDICT = 4000;

/** @returns a number with as many digits as a scenario's expected results have */
export function rounded(value: number): number {
  return Number(value.toPrecision(SCAN_DIGITS));
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
