/** The table of methods: rows of one variable, their order, and sentences on how the methods compare. */
import { describeComparedChange, describeInRun, exchange } from '../../engine/index.ts';
import type {
  CycleDifference,
  MethodComparison,
  MethodComparisons,
  MethodResult,
  PairedComparison,
  RunSummary,
} from '../../engine/index.ts';
import type { DataTable } from '../format/tables.ts';
import { unitOf } from '../document/views/series.ts';

export type ResultColumn = 'method' | 'forecast' | 'analysis' | 'level' | 'spread' | 'skill' | 'milliseconds';

export interface ResultRow {
  readonly label: string;
  /** In the scenario's order. */
  readonly order: number;
  /** NaN if there is none yet. */
  readonly forecast: number;
  readonly analysis: number;
  /** Error of the basin's mean level after the analysis. */
  readonly level: number;
  /** 0 for a method with one member. */
  readonly spread: number;
  readonly skill: number;
  readonly milliseconds: number;
}

export interface ResultOrder {
  readonly column: ResultColumn;
  readonly descending: boolean;
}

/**
 * @param variable by which the methods are compared
 * @param headline the error that skill is of
 * @param diverged methods whose means are of a part of the run, which the free run's over the whole says nothing about
 */
export function resultRows(
  results: readonly MethodResult[],
  variable: string,
  diverged: ReadonlyMap<string, number> = new Map(),
  headline: RunSummary['headline'] = 'total',
): ResultRow[] {
  return results.map(({ method, rmse, rmseLevel, spread, milliseconds, ...skills }, order) => {
    const skillByVariable = headline === 'pattern' ? skills.skillPatternByVariable : skills.skillByVariable;
    const analysis = rmse.analysis[variable] ?? Number.NaN;
    return {
      label: method,
      order,
      forecast: rmse.forecast[variable] ?? Number.NaN,
      analysis,
      level: rmseLevel.analysis[variable] ?? Number.NaN,
      spread: spread.analysis[variable] ?? Number.NaN,
      skill: (diverged.has(method) ? undefined : skillByVariable[variable]) ?? Number.NaN,
      milliseconds: Number.isNaN(analysis) ? Number.NaN : milliseconds.forecast + milliseconds.analysis,
    };
  });
}

/** @returns the rows in order; what is not a number comes last whichever way */
export function sortResults(rows: readonly ResultRow[], { column, descending }: ResultOrder): ResultRow[] {
  const sign = descending ? -1 : 1;
  return [...rows].sort((a, b) => {
    if (column === 'method') return sign * (a.order - b.order);
    const [left, right] = [a[column], b[column]];
    if (Number.isNaN(left) || Number.isNaN(right)) return Number(Number.isNaN(left)) - Number(Number.isNaN(right));
    return left === right ? a.order - b.order : sign * (left - right);
  });
}

function listed(names: readonly string[]): string {
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

function againstLeast<Found extends MethodComparison['comparison'] & object>({
  pairs,
}: MethodComparisons<Found>): readonly MethodComparison<Found>[] {
  return pairs.filter(({ reference }) => reference === 'least');
}

/**
 * How the methods of one run differ, in a sentence that names no winner: `Compared with LETKF, which has the least error in this
 * run, the error of 3D-Var is 3.9 times (3.0 to 5.0), worse in 25 of 25 cycles.`
 *
 * @param titleOf what a method is called, by its label
 * @returns empty if there are no two methods to compare
 */
export function describeRunDifferences(
  comparisons: MethodComparisons<CycleDifference>,
  titleOf: (label: string) => string,
): string {
  const { least } = comparisons;
  const others = againstLeast(comparisons);
  if (least === undefined || others.length === 0) return '';
  const clauses = others.map(
    ({ method, comparison }, index) =>
      `${index === 0 ? 'the error' : 'that'} of ${titleOf(method)} is ${describeInRun(comparison)}`,
  );
  return `Compared with ${titleOf(least)}, which has the least error in this run, ${clauses.join('; ')}.`;
}

/** The least error against another method, as `−12 %, 95 % −18 to −7 %`. */
function changeOf({ comparison }: MethodComparison<PairedComparison>): string {
  return comparison === undefined ? '' : describeComparedChange(exchange(comparison).change);
}

function distance({ comparison }: MethodComparison): number {
  return comparison?.change.estimate ?? Infinity;
}

/** The one whose error is nearest to the least. */
function nearestOf<Pair extends MethodComparison>(pairs: readonly Pair[]): Pair {
  return pairs.reduce((a, b) => (distance(b) < distance(a) ? b : a));
}

/**
 * Which method is better over seeds, in a sentence.
 *
 * @param titleOf what a method is called, by its label
 * @returns empty if there are no two methods to compare
 */
export function describeSeedVerdicts(
  comparisons: MethodComparisons<PairedComparison>,
  titleOf: (label: string) => string,
): string {
  const { least } = comparisons;
  const others = againstLeast(comparisons);
  if (least === undefined || others.length === 0) return '';
  const titles = (found: readonly MethodComparison[]): string => listed(found.map(({ method }) => titleOf(method)));
  const beaten = others.filter(({ comparison }) => comparison?.verdict === 'b');
  const undecided = others.filter(({ comparison }) => comparison?.verdict === 'undecided');
  const unknown = others.filter((pair) => !beaten.includes(pair) && !undecided.includes(pair));
  const clauses: string[] = [];
  if (beaten.length > 0) {
    const next = nearestOf(beaten);
    const rest = beaten.filter((pair) => pair !== next);
    const further = rest.length > 0 ? ` and than ${titles(rest)}` : '';
    clauses.push(`${titleOf(least)} is better than ${titleOf(next.method)} (${changeOf(next)})${further}`);
  }
  if (undecided.length > 0) {
    const change = undecided.length === 1 ? ` (${titleOf(least)} ${changeOf(undecided[0])})` : '';
    const between =
      beaten.length > 0 ? `against ${titles(undecided)}` : `between ${titleOf(least)} and ${titles(undecided)}`;
    clauses.push(`undecided ${between}${change}`);
  }
  if (unknown.length > 0) clauses.push(`too few seeds to compare ${titleOf(least)} with ${titles(unknown)}`);
  const sentence = `${clauses.join('; ')}.`;
  return sentence[0].toUpperCase() + sentence.slice(1);
}

const cell = (value: number): number | null => (Number.isFinite(value) ? value : null);

/** Rows of one variable. */
export interface VariableResults {
  readonly variable: string;
  readonly rows: readonly ResultRow[];
}

/** @returns a row for each method, with columns for each variable */
export function resultTable(results: readonly VariableResults[], titleOf: (label: string) => string): DataTable {
  const columns = results.flatMap(({ variable }) => {
    const unit = unitOf(variable);
    const inUnit = unit === '' ? '' : ` (${unit})`;
    return [
      `RMSE of ${variable}, forecast${inUnit}`,
      `RMSE of ${variable}, analysis${inUnit}`,
      `spread of ${variable}, analysis${inUnit}`,
      `skill in ${variable} against the free run`,
    ];
  });
  const order = results[0]?.rows ?? [];
  return {
    columns: ['method', ...columns, 'milliseconds per cycle'],
    rows: order.map(({ label, milliseconds }) => [
      titleOf(label),
      ...results.flatMap(({ rows }) => {
        const row = rows.find((each) => each.label === label);
        if (row === undefined) return [null, null, null, null];
        return [cell(row.forecast), cell(row.analysis), row.spread > 0 ? row.spread : null, cell(row.skill)];
      }),
      cell(milliseconds),
    ]),
  };
}
