/** The rows of a bundle as the texts that they are: a number that is written the same is the same float64. */
import { csvParseRows } from 'd3-dsv';
import { ScenarioError } from '../../errors.ts';

/** A row by its columns. */
type Cells = Readonly<Record<string, string | undefined>>;

/** What takes another time in each run is no result; columns of an earlier version end in `_ms`. */
function isTime(column: string): boolean {
  return column.startsWith('milliseconds_') || column.endsWith('_ms');
}

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
