/**
 * `diagnostics.csv`: one row a method and cycle with all of its diagnostics. Numbers are written so that reading gives the
 * same float64; lists are numbers separated by spaces; what a method does not have is left empty.
 */
import { csvFormatRows, csvParseRows } from 'd3-dsv';
import type { ByVariable, CycleDiagnostics } from '../experiment/index.ts';
import type { MinimisationReport } from '../operators/conjugate-gradient/index.ts';
import { fromSpreadsheetText, toSpreadsheetText } from '../files/spreadsheet-text.ts';
import { describeValue, scenarioError } from '../settings/index.ts';
import type { Problem } from '../settings/index.ts';
import { consistencyLists, parseConsistency, rankLists } from './consistency-columns.ts';
import { diagnosticColumns } from './diagnostic-columns.ts';

type Cell = (row: CycleDiagnostics) => string | number | boolean | undefined;
type Column = readonly [name: string, cell: Cell];

function list(values: readonly number[] | undefined): string | undefined {
  return values?.join(' ');
}

function columns(variables: readonly string[]): readonly Column[] {
  return [
    ['method', (row) => toSpreadsheetText(row.method)],
    ['cycle', (row) => row.cycle],
    ['time_s', (row) => row.timeSeconds],
    ...diagnosticColumns(variables).map(({ name, of }): Column => [name, of]),
    ...rankLists(variables).map(({ name, of }): Column => [name, (row) => list(of(row))]),
    ['cg_cost', (row) => list(row.minimisation?.cost)],
    ['cg_background_cost', (row) => list(row.minimisation?.backgroundCost)],
    ['cg_observation_cost', (row) => list(row.minimisation?.observationCost)],
    ['cg_residual', (row) => list(row.minimisation?.residual)],
    ['cg_ritz_values', (row) => list(row.minimisation?.ritzValues)],
    ['outer_loop_iterations', (row) => list(row.minimisation?.outerLoops?.map(({ iterations }) => iterations))],
    ['outer_loop_cost', (row) => list(row.minimisation?.outerLoops?.map(({ cost }) => cost))],
    ...consistencyLists(variables).map(({ name, of }): Column => [name, (row) => list(of(row))]),
  ];
}

/** @param variables names of the model's variables, in order. @returns the first line, with its end */
export function formatDiagnosticsHeader(variables: readonly string[]): string {
  return `${csvFormatRows([columns(variables).map(([name]) => name)])}\n`;
}

/** @returns the lines under the header, each with its end */
export function formatDiagnosticsRows(variables: readonly string[], rows: readonly CycleDiagnostics[]): string {
  const all = columns(variables);
  const lines = rows.map((row) => all.map(([, cell]) => String(cell(row) ?? '')));
  return lines.length === 0 ? '' : `${csvFormatRows(lines)}\n`;
}

/** @returns the whole file */
export function formatDiagnostics(variables: readonly string[], rows: readonly CycleDiagnostics[]): string {
  return formatDiagnosticsHeader(variables) + formatDiagnosticsRows(variables, rows);
}

type Row = Readonly<Record<string, string | undefined>>;

function numbers(text: string | undefined): number[] {
  return text ? text.split(' ').map(Number) : [];
}

function stages(row: Row, quantity: string): CycleDiagnostics['rmse'] {
  const one = (stage: string): ByVariable => {
    const prefix = `${quantity}_${stage}_`;
    return Object.fromEntries(
      Object.entries(row)
        .filter(([name, text]) => name.startsWith(prefix) && text !== '')
        .map(([name, text]) => [name.slice(prefix.length), Number(text)]),
    );
  };
  return { forecast: one('forecast'), analysis: one('analysis') };
}

function ranks(row: Row): CycleDiagnostics['rankHistogram'] {
  const prefix = 'rank_histogram_';
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name, text]) => name.startsWith(prefix) && text !== '')
      .map(([name, text]) => [name.slice(prefix.length), numbers(text)]),
  );
}

/** Of an analysis with several of them; files of an earlier version had no such columns. */
function outerLoops(row: Row): Pick<MinimisationReport, 'outerLoops'> {
  const cost = numbers(row['outer_loop_cost']);
  const iterations = numbers(row['outer_loop_iterations']);
  return cost.length > 0
    ? { outerLoops: cost.map((each, loop) => ({ iterations: iterations[loop], cost: each })) }
    : {};
}

/** An earlier version of this file had the normalised squares alone, and called them χ². */
function squares(row: Row): { normalisedSquares: number; chiSquare: number | undefined } {
  const chiSquare = row['innovation_chi_square'];
  const normalised = row['innovation_normalised_squares'];
  if (normalised === undefined) return { normalisedSquares: Number(chiSquare), chiSquare: undefined };
  return { normalisedSquares: Number(normalised), chiSquare: chiSquare ? Number(chiSquare) : undefined };
}

function parseRow(row: Row): CycleDiagnostics {
  const value = (name: string): number => Number(row[name]);
  const consistency = parseConsistency(row);
  return {
    method: fromSpreadsheetText(row['method'] ?? ''),
    cycle: value('cycle'),
    timeSeconds: value('time_s'),
    rmse: stages(row, 'rmse'),
    spread: stages(row, 'spread'),
    crps: stages(row, 'crps'),
    fairCrps: stages(row, 'fair_crps'),
    rankHistogram: ranks(row),
    innovation: row['innovation_count']
      ? {
          count: value('innovation_count'),
          rejected: value('innovation_rejected'),
          mean: value('innovation_mean'),
          standardDeviation: value('innovation_standard_deviation'),
          ...squares(row),
        }
      : undefined,
    ...(row['inflation'] && { inflation: value('inflation') }),
    minimisation: row['cg_iterations']
      ? {
          iterations: value('cg_iterations'),
          converged: row['cg_converged'] === 'true',
          cost: numbers(row['cg_cost']),
          backgroundCost: numbers(row['cg_background_cost']),
          observationCost: numbers(row['cg_observation_cost']),
          residual: numbers(row['cg_residual']),
          ritzValues: numbers(row['cg_ritz_values']),
          conditionNumber: value('cg_condition_number'),
          ...outerLoops(row),
        }
      : undefined,
    ...(consistency && { consistency }),
    milliseconds: { forecast: value('forecast_ms'), analysis: value('analysis_ms') },
  };
}

/** Columns of text, or of lists of numbers. */
const NOT_NUMBERS: ReadonlySet<string> = new Set(['method', 'cg_converged']);

/** What is wrong with a cell, or undefined. */
function wrongCell(column: string, cell: string): string | undefined {
  const found = `found ${describeValue(cell)}, allowed is`;
  if (column === 'method') return cell === '' ? `${found} the name of a method` : undefined;
  if (column === 'cycle') return /^\d+$/.test(cell) ? undefined : `${found} a whole number of at least 0`;
  if (NOT_NUMBERS.has(column)) return undefined;
  const isNumber = cell.split(' ').every((part) => part === 'NaN' || !Number.isNaN(Number(part)));
  return isNumber ? undefined : `${found} a number`;
}

function checkRows(names: readonly string[], rows: readonly (readonly string[])[], file: string, first = 2): void {
  const problems = rows.flatMap((row, index): Problem[] => {
    const line = `line ${index + first}`;
    if (row.length !== names.length) {
      return [{ path: [], message: `${line}: found ${row.length} columns, the header has ${names.length}` }];
    }
    return names.flatMap((name, column) => {
      const wrong = wrongCell(name, row[column]);
      return wrong === undefined ? [] : [{ path: [], message: `${line}: ${name}: ${wrong}` }];
    });
  });
  for (const name of rows.length > 0 ? ['method', 'cycle'] : []) {
    if (!names.includes(name)) problems.unshift({ path: [], message: `line 1: there is no column "${name}"` });
  }
  if (problems.length > 0) throw scenarioError(problems, file);
}

/**
 * Reads what `formatDiagnostics` wrote. By rows: d3's way to objects makes code at run time, which a page may not.
 *
 * @throws ScenarioError naming file, line, column, what was found and what is allowed
 */
export function parseDiagnostics(text: string, file = 'diagnostics.csv'): CycleDiagnostics[] {
  const [names = [], ...rows] = csvParseRows(text);
  checkRows(names, rows, file);
  return rows.map((row) => parseRow(Object.fromEntries(names.map((name, index) => [name, row[index] ?? '']))));
}

/**
 * Reads line by line what `formatDiagnostics` wrote, for a file that is too long to be read at once.
 *
 * @returns takes each line without its end, and its number from 1; gives the row, or undefined for the header
 * @throws ScenarioError (what it returns does) naming file, line, column, what was found and what is allowed
 */
export function createDiagnosticsReader(
  file = 'diagnostics.csv',
): (line: string, number: number) => CycleDiagnostics | undefined {
  let names: readonly string[] | undefined;
  return (line, number) => {
    const [row = []] = csvParseRows(line);
    if (names === undefined) {
      names = row;
      return undefined;
    }
    checkRows(names, [row], file, number);
    return parseRow(Object.fromEntries(names.map((name, index) => [name, row[index]])));
  };
}
