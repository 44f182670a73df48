/** Observing places from a CSV file: a header line that names its columns, then one observation a line. */
import { csvParseRows } from 'd3-dsv';
import { describeValue, listWords, suggestion } from './problem.ts';

/** One line of the file. */
export interface TableRow {
  /** Metres from the centre of cell (0, 0). */
  readonly x: number;
  readonly y: number;
  /** Seconds since the first cycle began. */
  readonly time: number;
  /** In the unit of the observed variable; without it the truth is observed. */
  readonly value?: number;
}

/** Lines of a file, at most. */
export const MAXIMUM_ROWS = 1_000_000;

const COLUMNS = ['x', 'y', 'time', 'value'] as const;
type Column = (typeof COLUMNS)[number];

export interface ParsedTable {
  readonly rows: readonly TableRow[];
  /** The line of each row in the file, from 1. */
  readonly lines: readonly number[];
  /** `line: what is wrong`, without the file's name. */
  readonly problems: readonly string[];
}

/** Columns may stand in any order; `value` may be left out, as a column or in single lines. */
export function parseTable(text: string): ParsedTable {
  const lines = csvParseRows(text.replace(/^\uFEFF/, ''));
  if (lines.length === 0)
    return { rows: [], lines: [], problems: ['the file is empty; its first line is "x,y,time" or "x,y,time,value"'] };
  if (lines.length > MAXIMUM_ROWS) {
    return { rows: [], lines: [], problems: [`found ${lines.length} lines, allowed are ${MAXIMUM_ROWS}`] };
  }
  const header = lines[0].map((name) => name.trim());
  const problems = headerProblems(header);
  if (problems.length > 0) return { rows: [], lines: [], problems };
  const column = (name: Column): number => header.indexOf(name);
  const [x, y, time, value] = COLUMNS.map(column);
  const rows: TableRow[] = [];
  const numbers: number[] = [];
  for (let i = 1; i < lines.length; i++) {
    const cells = lines[i];
    if (cells.length === 1 && cells[0].trim() === '') continue;
    if (cells.length !== header.length) {
      problems.push(`line ${i + 1}: found ${cells.length} columns, the header has ${header.length}`);
      continue;
    }
    const read = (index: number): number => {
      const number = toNumber(cells[index]);
      if (number === undefined) {
        problems.push(
          `line ${i + 1}: ${header[index]}: found ${describeValue(cells[index])}, allowed is a finite number`,
        );
      }
      return number ?? 0;
    };
    const place = { x: read(x), y: read(y), time: read(time) };
    numbers.push(i + 1);
    rows.push(value === -1 || cells[value].trim() === '' ? place : { ...place, value: read(value) });
  }
  if (rows.length === 0 && problems.length === 0) problems.push('there is no line after the header');
  return { rows, lines: numbers, problems };
}

function headerProblems(header: readonly string[]): string[] {
  const problems: string[] = [];
  for (const name of COLUMNS) {
    if (name !== 'value' && !header.includes(name)) problems.push(`line 1: there is no column "${name}"`);
    if (header.indexOf(name) !== header.lastIndexOf(name)) problems.push(`line 1: there are two columns "${name}"`);
  }
  for (const name of header) {
    if ((COLUMNS as readonly string[]).includes(name)) continue;
    problems.push(
      `line 1: unknown column ${describeValue(name)}, allowed are ${listWords(COLUMNS, 'and')}${suggestion(name, COLUMNS)}`,
    );
  }
  return problems;
}

function toNumber(text: string): number | undefined {
  const trimmed = text.trim();
  const number = Number(trimmed);
  return /^[-+.\d]/.test(trimmed) && Number.isFinite(number) ? number : undefined;
}
