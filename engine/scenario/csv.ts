/** Observing places from a CSV file: a header line that names its columns, then one observation a line. */
import { csvParseRows } from 'd3-dsv';
import { describeValue, listWords, suggestion } from '../settings/index.ts';
import type { Table } from '../settings/index.ts';

/** Problems that are reported one by one. */
const MAXIMUM_TOLD = 10;

/** Problems of a file, of which the first are reported and the others counted: a million wrong lines have as many. */
export interface Tally {
  /** @param message made only if it will be reported */
  tell(message: () => string): void;
  /** Whether nothing was reported. */
  isEmpty(): boolean;
  /** The first problems, and how many more there are. */
  lines(): readonly string[];
}

export function createTally(most = MAXIMUM_TOLD): Tally {
  const told: string[] = [];
  let count = 0;
  return {
    tell(message) {
      count += 1;
      if (count <= most) told.push(message());
    },
    isEmpty: () => count === 0,
    lines() {
      const more = count - told.length;
      return more === 0 ? told : [...told, `${more} more ${more === 1 ? 'problem' : 'problems'}`];
    },
  };
}

/** Capacity of a table that has just begun. */
const FIRST_CAPACITY = 1024;

/** Lines of a file, at most. */
export const MAXIMUM_ROWS = 1_000_000;

const COLUMNS = ['x', 'y', 'time', 'value'] as const;

export interface ParsedTable {
  readonly table: Table;
  /** The line of each row in the file, from 1. */
  readonly lines: Uint32Array;
}

/** A table that grows as it is read. */
interface Growing {
  count: number;
  columns: readonly Float64Array[];
  lines: Uint32Array;
}

function grow(rows: Growing): void {
  const capacity = 2 * rows.lines.length;
  rows.columns = rows.columns.map((column) => {
    const larger = new Float64Array(capacity);
    larger.set(column);
    return larger;
  });
  const lines = new Uint32Array(capacity);
  lines.set(rows.lines);
  rows.lines = lines;
}

function finish({ count, columns, lines }: Growing): ParsedTable {
  const [x, y, time, value] = columns.map((column) => column.slice(0, count));
  return { table: { count, x, y, time, value }, lines: lines.slice(0, count) };
}

/**
 * Columns may be in any order; `value` may be omitted, as a column or in single lines.
 * @param problems receives `line: what is wrong`, without the file's name; what is returned is of use if there is none
 */
export function parseTable(text: string, problems: Tally): ParsedTable {
  const rows: Growing = {
    count: 0,
    columns: COLUMNS.map(() => new Float64Array(FIRST_CAPACITY)),
    lines: new Uint32Array(FIRST_CAPACITY),
  };
  let header: readonly string[] | undefined;
  let places: readonly number[] = [];
  let lines = 0;
  // Each line is taken as it is found; d3 keeps none of those that give nothing.
  csvParseRows(text.replace(/^\uFEFF/, ''), (cells) => {
    lines += 1;
    if (header) {
      if (places.length > 0 && lines <= MAXIMUM_ROWS) takeLine(cells, lines, header, places, rows, problems);
    } else {
      header = cells.map((name) => name.trim());
      const wrong = headerProblems(header);
      for (const problem of wrong) problems.tell(() => problem);
      const names = header;
      if (wrong.length === 0) places = COLUMNS.map((name) => names.indexOf(name));
    }
    return undefined;
  });
  if (lines === 0) problems.tell(() => 'the file is empty; its first line is "x,y,time" or "x,y,time,value"');
  else if (lines > MAXIMUM_ROWS) problems.tell(() => `found ${lines} lines, allowed: ${MAXIMUM_ROWS}`);
  else if (rows.count === 0 && problems.isEmpty()) problems.tell(() => 'there is no line after the header');
  return finish(rows);
}

/** @param places of `COLUMNS` in the line, −1 for one that is omitted */
function takeLine(
  cells: readonly string[],
  line: number,
  header: readonly string[],
  places: readonly number[],
  rows: Growing,
  problems: Tally,
): void {
  if (cells.length === 1 && cells[0].trim() === '') return;
  if (cells.length !== header.length) {
    problems.tell(() => `line ${line}: found ${cells.length} columns, the header has ${header.length}`);
    return;
  }
  if (rows.count === rows.lines.length) grow(rows);
  places.forEach((place, column) => {
    const cell = place === -1 ? '' : cells[place].trim();
    const isLeftOut = COLUMNS[column] === 'value' && cell === '';
    const number = isLeftOut ? Number.NaN : toNumber(cell);
    if (number === undefined) {
      problems.tell(
        () => `line ${line}: ${header[place]}: found ${describeValue(cells[place])}, allowed: a finite number`,
      );
    }
    rows.columns[column][rows.count] = number ?? 0;
  });
  rows.lines[rows.count] = line;
  rows.count += 1;
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
      `line 1: unknown column ${describeValue(name)}, allowed: ${listWords(COLUMNS, 'and')}${suggestion(name, COLUMNS)}`,
    );
  }
  return problems;
}

/** @param text without space around it */
function toNumber(text: string): number | undefined {
  const number = Number(text);
  return /^[-+.\d]/.test(text) && Number.isFinite(number) ? number : undefined;
}
