/** A tuning for people: the settings that were tried as a map if there are two, else as a list; and what was found in words. */
import { formatTable } from '../table.ts';
import {
  consistencyFindings,
  describeTuning,
  findingText,
  measureText,
  parameterTitle,
  shown,
  type Point,
  type TriedPoint,
  type TuningParameter,
  type TuningPlan,
  type TuningResult,
  type ParameterRequest,
} from '../../../engine/index.ts';
import { UsageError } from '../context.ts';

const MOST_COUNT = 100;

function wrong(text: string, why: string): UsageError {
  return new UsageError(
    `--parameter ${shown(text)}: ${why}; write path, path=1,2,4 or path=from:to:count, for example inflation=1.02:1.4:5`,
  );
}

function numbersOf(text: string, written: string, separator: string): number[] {
  return written.split(separator).map((part) => {
    const value = Number(part);
    if (part.trim() === '' || !Number.isFinite(value))
      throw wrong(text, `found ${JSON.stringify(part)}, allowed: a number`);
    return value;
  });
}

/** @throws UsageError */
export function parseParameter(text: string): ParameterRequest {
  const equals = text.indexOf('=');
  if (equals < 0) return { name: text };
  const [name, written] = [text.slice(0, equals), text.slice(equals + 1)];
  if (name === '') throw wrong(text, 'the path is empty');
  if (!written.includes(':')) return { name, values: numbersOf(text, written, ',') };
  const [from, to, count, ...more] = numbersOf(text, written, ':');
  if (count === undefined || more.length > 0) throw wrong(text, 'a range has three parts');
  if (!Number.isInteger(count) || count < 2 || count > MOST_COUNT)
    throw wrong(text, `found ${count} values, allowed: a whole number from 2 to ${MOST_COUNT}`);
  if (from >= to) throw wrong(text, `found a range from ${from} to ${to}, allowed: from the smaller to the larger`);
  return { name, range: { from, to, count } };
}

/** Columns that a terminal has room for. */
const MOST_COLUMNS = 9;
/** Settings of a list, the best first. */
const MOST_ROWS = 20;
const BEST = '◆';
const ALIKE = '=';
const LOST = '×';
const WARNED = '!';

function isSame(a: Point, b: Point): boolean {
  return a.every((value, axis) => value === b[axis]);
}

function headOf({ title, name, unit }: TuningParameter): string {
  const text = parameterTitle({ title, name });
  return unit === '' ? text : `${text} (${unit})`;
}

/** The value with a mark: the best, one like it, one that diverged, one that is warned of. */
function cellText({ measure, found }: TuningResult, { values, median, isWarned }: TriedPoint): string {
  if (median === null) return LOST;
  const text = measureText(measure, median);
  if (found && isSame(found.best.values, values)) return `${BEST} ${text}`;
  if (isWarned) return `${WARNED} ${text}`;
  return found?.alike.some((other) => isSame(other, values)) ? `${ALIKE} ${text}` : text;
}

function along(points: readonly TriedPoint[], axis: number): number[] {
  return [...new Set(points.map(({ values }) => values[axis]))].sort((a, b) => a - b);
}

/** The first setting downwards, the second across. */
function mapOf(result: TuningResult): string {
  const { parameters, points } = result;
  const [rows, columns] = [along(points, 0), along(points, 1)];
  const textAt = (row: number, column: number): string => {
    const point = points.find(({ values }) => isSame(values, [row, column]));
    return point ? cellText(result, point) : '';
  };
  return formatTable(
    [`${headOf(parameters[0])} ↓  ${headOf(parameters[1])} →`, ...columns.map(String)],
    rows.map((row) => [row, ...columns.map((column) => textAt(row, column))]),
    { align: 'r' },
  );
}

/** The best settings by rank. */
function listOf(result: TuningResult): string {
  const { parameters, points, measure } = result;
  const goal = measure.best;
  const distance = (value: number): number =>
    goal === 'most' ? -value : goal === 'least' ? value : Math.abs(value - goal.near);
  const rank = ({ median }: TriedPoint): number => (median === null ? Infinity : distance(median));
  const sorted = points.toSorted((a, b) => rank(a) - rank(b) || 0);
  const table = formatTable(
    [...parameters.map(headOf), measure.unit === '' ? measure.name : `${measure.name} (${measure.unit})`],
    sorted.slice(0, MOST_ROWS).map((point) => [...point.values, cellText(result, point)]),
    { align: 'r' },
  );
  const more = sorted.length - MOST_ROWS;
  return more > 0 ? `${table}\n${more} more are in the record` : table;
}

/** What the marks mean, of those that are there. */
function legend({ points, found }: TuningResult): string {
  const marks = [
    ...(found ? [`${BEST} best`] : []),
    ...(found && found.alike.length > 0 ? [`${ALIKE} not significantly different from it`] : []),
    ...(points.some(({ median }) => median === null) ? [`${LOST} diverged or failed with a seed`] : []),
    ...(points.some(({ isWarned }) => isWarned) ? [`${WARNED} would earn a warning`] : []),
  ];
  return marks.join('; ');
}

export function formatTuning(plan: TuningPlan, result: TuningResult): string {
  const { parameters, points, measure, seeds } = result;
  const isMap = parameters.length === 2 && along(points, 1).length <= MOST_COLUMNS;
  const title = `${measure.title}${measure.unit === '' ? '' : ` (${measure.unit})`}, median of ${seeds.length} ${seeds.length === 1 ? 'seed' : 'seeds'}; ${legend(result)}`;
  const words = [...describeTuning(result), ...consistencyFindings(plan, result).map(findingText)];
  return [title, isMap ? mapOf(result) : listOf(result), ...words].join('\n');
}

/** All of it as plain data, for `--json`. */
export function tuningDocument(plan: TuningPlan, result: TuningResult): Readonly<Record<string, unknown>> {
  const { name, method, parameters, measure, seeds, points, found, consistency } = result;
  return {
    scenario: name,
    method,
    parameters: parameters.map(({ path, unit, present, values }) => ({ path, unit, present, values })),
    measure,
    seeds,
    points: points.map(({ values, stage, median, isWarned, outcomes }) => ({
      values,
      stage,
      median,
      isWarned,
      seeds: outcomes.map(({ value }) => value),
      reason: outcomes.find(({ reason }) => reason !== undefined)?.reason ?? null,
    })),
    best: found
      ? {
          values: found.best.values,
          ...found.interval,
          edges: found.edges.map(({ parameter, side, isAllowedBeyond }) => ({
            path: parameter.path,
            side,
            isAllowedBeyond,
          })),
          alike: found.alike,
        }
      : null,
    consistency: consistency ?? null,
    says: [...describeTuning(result), ...consistencyFindings(plan, result).map(findingText)],
  };
}
