/**
 * What a run on another backend, adapter or version is held to, which rounds otherwise. A rounding is 2⁻²⁴ of a number, and grows
 * as the run makes errors grow. How far that is, is measured where the run is made again: other runs start from states that are
 * wrong by one rounding. Every mean is computed from the rows, and every tolerance from the runs that were made here, so that
 * nothing in a bundle can widen what it is held to.
 *
 * - While no number of a method moves by more than a tenth of a per cent, from the first cycle on, the means of its errors, spread
 *   and CRPS are those of the bundle within 1 %: what minimisations that end at their tolerance leave, and ten times what rounding
 *   does. So truth, observations and ensemble are the same.
 * - After the spin-up, means that do not move by more than a tenth of a per cent are held to 1 %, too.
 * - Means that do move are those of another draw of the same statistics, as another seed of the observations' errors would give.
 *   They agree within what such means differ by chance, whichever estimate is smaller: √2 standard errors of the mean of the run,
 *   by the stationary bootstrap [politis1994], times Student's t at 99.9 %; or, of three runs or more, their standard deviation
 *   times √(1 + 1/n) and Student's t; and within 1 % at least.
 * - If that is more than a quarter of the mean, the comparison decides nothing: the run has not enough cycles.
 */
import { studentHalfWidth, uncertaintyOfMean } from '../../statistics/index.ts';
import { csvParseRows } from 'd3-dsv';
import { ScenarioError } from '../../errors.ts';

/** A row by its columns. */
type Cells = Readonly<Record<string, string | undefined>>;

/** What takes another time in each run is no result; columns of an earlier version end in `_ms`. */
function isTime(column: string): boolean {
  return column.startsWith('milliseconds_') || column.endsWith('_ms');
}

/** The rows of a bundle as the texts that they are: a number that is written the same is the same float64. */
export interface Rows {
  /** Columns of the results, in order. */
  readonly columns: readonly string[];
  /** In the order of cycles, and of methods within one. */
  readonly rows: readonly Cells[];
}

/** @returns the results of a `diagnostics.csv`. @throws ScenarioError if it is none */
export function parseRows(csv: string, file: string): Rows {
  // Rows alone: what makes objects of them compiles code, which a page's policy forbids.
  const [header = [], ...lines] = csvParseRows(csv);
  for (const column of ['method', 'cycle']) {
    if (header.includes(column)) continue;
    throw new ScenarioError([{ file, path: [], message: `found no column ${column}, a run's diagnostics have one` }]);
  }
  const rows = lines.map((line): Cells => Object.fromEntries(header.map((column, index) => [column, line[index]])));
  const columns = header.filter((column) => !isTime(column) && column !== 'method' && column !== 'cycle');
  return { columns, rows: rows.toSorted((one, other) => Number(one['cycle']) - Number(other['cycle'])) };
}

/** Where two runs differ first. */
export interface RowDifference {
  readonly method: string;
  readonly cycle: number;
  /** The column; a whole row is missing if omitted. */
  readonly column?: string;
  /** As written; undefined if there is no such row. */
  readonly expected: string | undefined;
  readonly found: string | undefined;
}

function keyOf({ method = '', cycle = '' }: Cells): string {
  return `${cycle} ${method}`;
}

function placeOf({ method = '', cycle }: Cells): Pick<RowDifference, 'method' | 'cycle'> {
  return { method, cycle: Number(cycle) };
}

/** The first difference in columns that both have: another version may measure more. @returns undefined if all rows are alike */
export function firstDifference(expected: Rows, found: Rows): RowDifference | undefined {
  const byKey = new Map(found.rows.map((row) => [keyOf(row), row]));
  const columns = expected.columns.filter((column) => found.columns.includes(column));
  for (const row of expected.rows) {
    const other = byKey.get(keyOf(row));
    if (!other) return { ...placeOf(row), expected: 'a row', found: undefined };
    byKey.delete(keyOf(row));
    const column = columns.find((name) => row[name] !== other[name]);
    if (column !== undefined) return { ...placeOf(row), column, expected: row[column], found: other[column] };
  }
  const [more] = byKey.values();
  return more && { ...placeOf(more), expected: undefined, found: 'a row' };
}

/** @returns the methods that have rows, in order */
export function methodsIn({ rows }: Rows): readonly string[] {
  return [...new Set(rows.map(({ method = '' }) => method))];
}

/** @returns how many cycles a method has completed */
export function lengthOf({ rows }: Rows, of: string): number {
  return rows.filter(({ method }) => method === of).length;
}

/** The values of a column of a method, cycle by cycle from one to before another; NaN for a number that is missing. */
export function valuesOf({ rows }: Rows, method: string, column: string, from: number, to: number): number[] {
  return rows
    .filter((row) => row['method'] === method && Number(row['cycle']) >= from && Number(row['cycle']) < to)
    .map((row) => (row[column] ? Number(row[column]) : NaN))
    .map((value) => (Number.isFinite(value) ? value : NaN));
}

export interface StatisticComparison {
  readonly method: string;
  /** As `expected.csv` has it: `rmse_analysis_h`. `cycles`: how many cycles the method completed. */
  readonly column: string;
  /** The first cycle, and the one after the last. */
  readonly from: number;
  readonly to: number;
  /** Mean of the bundle, and of the run; NaN if some of the numbers are missing. */
  readonly mean: number;
  readonly found: number;
  /** By which the two may differ, as a share of what was found. */
  readonly tolerance: number;
  /** `open`: they agree, but within a tolerance that is too wide to say anything. */
  readonly verdict: 'passed' | 'failed' | 'open';
}

/** Which cycles a run has, and where its means begin. */
export interface Cycles {
  readonly cycles: number;
  /** The first cycle that counts, if enough follow. */
  readonly spinup: number;
}

const TOLERANCE = 0.01;
/** By which numbers may move, as a share, of a run in which roundings do not grow. */
const QUIET = TOLERANCE / 10;
/** The largest tolerance with which a comparison still says something. */
export const LARGEST_TOLERANCE = 0.25;
const LEVEL = 0.999;
/** An uncertainty needs as many. */
const FEWEST_CYCLES = 3;
const FEWEST_RUNS = 3;
const HELD = /^(?:rmse|rmse_pattern|spread|crps)_(?:forecast|analysis)_/;

export function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / values.length;
}

/** @returns the first cycle of the means */
export function firstCycle({ cycles, spinup }: Cycles): number {
  return cycles - spinup >= FEWEST_CYCLES ? spinup : 0;
}

/** By how much the mean of another draw of a series differs by chance, as a share of it. */
function toleranceOfSeries(series: readonly number[]): number {
  if (series.length < FEWEST_CYCLES) return Infinity;
  const { standardError, degrees } = uncertaintyOfMean(series);
  return (Math.SQRT2 * studentHalfWidth(LEVEL, degrees) * standardError) / meanOf(series);
}

/** By how much the mean of another run differs by chance, as a share of the first one's. @param means one a run */
function toleranceOfRuns(means: readonly number[]): number {
  const n = means.length;
  if (n < FEWEST_RUNS) return Infinity;
  const center = meanOf(means);
  const variance = means.reduce((sum, mean) => sum + (mean - center) ** 2, 0) / (n - 1);
  return (studentHalfWidth(LEVEL, n - 1) * Math.sqrt((1 + 1 / n) * variance)) / means[0];
}

function agree(one: number, other: number, share: number): boolean {
  return Math.abs(one - other) <= share * Math.abs(one);
}

/** @returns how many cycles of a method pass before a rounding has moved one of its numbers; 1 at least */
function quietCycles(method: string, columns: readonly string[], runs: readonly Rows[], cycles: number): number {
  const series = columns.map((column) => runs.map((rows) => valuesOf(rows, method, column, 0, cycles)));
  const isQuiet = (cycle: number): boolean =>
    series.every(([found, ...disturbed]) =>
      disturbed.every((values) => Number.isNaN(found[cycle]) || agree(found[cycle], values[cycle], QUIET)),
    );
  let quiet = 0;
  while (quiet < cycles && isQuiet(quiet)) quiet++;
  return Math.max(quiet, 1);
}

/** Over which cycles means are compared, and whether roundings may have moved them. */
interface Stretch {
  readonly from: number;
  readonly to: number;
  readonly mayMove: boolean;
}

/** @returns undefined if neither run has such numbers, or if they are all 0: a single state has no spread */
function compareMeans(
  expected: Rows,
  runs: readonly Rows[],
  method: string,
  column: string,
  { from, to, mayMove }: Stretch,
): StatisticComparison | undefined {
  const given = valuesOf(expected, method, column, from, to);
  const [series, ...others] = runs.map((rows) => valuesOf(rows, method, column, from, to));
  if ([given, series].every((values) => values.every((value) => Number.isNaN(value) || value === 0))) return undefined;
  const mean = meanOf(given);
  const found = meanOf(series);
  const means = [found, ...others.map(meanOf)];
  const moves = mayMove && !means.every((other) => agree(found, other, QUIET));
  const tolerance = moves
    ? Math.max(TOLERANCE, Math.min(toleranceOfSeries(series), toleranceOfRuns(means)))
    : TOLERANCE;
  const agreed = agree(found, mean, tolerance) ? (tolerance > LARGEST_TOLERANCE ? 'open' : 'passed') : 'failed';
  return { method, column, from, to, mean, found, tolerance, verdict: agreed };
}

/** A method that diverged did so in both; after as many cycles, unless roundings decide on that. */
function compareLengths(
  expected: Rows,
  runs: readonly Rows[],
  method: string,
  { cycles }: Cycles,
): StatisticComparison | undefined {
  const mean = lengthOf(expected, method);
  const lengths = runs.map((rows) => lengthOf(rows, method));
  const [found] = lengths;
  if (mean === cycles && found === cycles) return undefined;
  const isDecidedByRounding = lengths.some((length) => length !== found);
  const passed = mean === found || (isDecidedByRounding && mean < cycles && mean > 0);
  return {
    method,
    column: 'cycles',
    from: 0,
    to: cycles,
    mean,
    found,
    tolerance: 0,
    verdict: passed ? 'passed' : 'failed',
  };
}

function compareMethod(
  expected: Rows,
  runs: readonly Rows[],
  method: string,
  terms: Cycles,
): readonly StatisticComparison[] {
  const columns = runs[0].columns.filter((column) => HELD.test(column) && expected.columns.includes(column));
  const lengths = compareLengths(expected, runs, method, terms);
  const common = Math.min(...[expected, ...runs].map((rows) => lengthOf(rows, method)));
  if (common === 0) return lengths ? [lengths] : [];
  const quiet = quietCycles(method, columns, runs, common);
  const beginning: Stretch = { from: 0, to: quiet, mayMove: false };
  const rest: Stretch = { from: firstCycle({ ...terms, cycles: common }), to: common, mayMove: true };
  const isAllQuiet = quiet === common && (rest.from === 0 || common === 1);
  const stretches = isAllQuiet ? [beginning] : [beginning, rest];
  const means = columns.flatMap((column) =>
    stretches.flatMap((stretch) => compareMeans(expected, runs, method, column, stretch) ?? []),
  );
  return lengths ? [lengths, ...means] : means;
}

/**
 * Holds the rows of a bundle against runs that were made here.
 *
 * @param runs the run, and others from states that were wrong by one rounding
 */
export function compareStatistics(
  expected: Rows,
  runs: readonly Rows[],
  terms: Cycles,
): readonly StatisticComparison[] {
  const methods = new Set([...methodsIn(runs[0]), ...methodsIn(expected)]);
  return [...methods].flatMap((method) => compareMethod(expected, runs, method, terms));
}
