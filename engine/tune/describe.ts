/** A tuning's result in words: the best setting, how sure it is, whether it is at an edge, and what its consistency says. */
import { methodTuning, validateScenario } from '../scenario/index.ts';
import { listWords } from '../settings/index.ts';
import { describePaired, type PairedComparison } from '../statistics/index.ts';
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
