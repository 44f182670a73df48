/**
 * `diagnostics.csv`: one row a method and cycle with all of its diagnostics. Numbers are written so that reading gives the
 * same float64; lists are numbers separated by spaces; what a method does not have is left empty.
 */
import { csvFormatRows, csvParseRows } from 'd3-dsv';
import type { ByVariable, CycleDiagnostics } from '../experiment/index.ts';
import type { MinimisationReport } from '../operators/conjugate-gradient/index.ts';
import { fromSpreadsheetText, toSpreadsheetText } from '../words.ts';
import { describeValue, scenarioError, type Problem } from '../settings/index.ts';
import {
  consistencyLists,
  hasOneMember,
  parseConsistency,
  parseErrorLists,
  rankLists,
  regionLists,
  smoothedLists,
} from './consistency-columns.ts';
import type { ConsistencyList } from './consistency-columns.ts';
import { diagnosticColumns, impactLists, parseImpact } from './diagnostic-columns.ts';

/** A column of the file, as the page of columns describes it. */
export interface CsvColumn {
  readonly name: string;
  /** What it is, for people. */
  readonly longName: string;
  /** Empty for what has none; undefined where it is that of each observation. */
  readonly unit: string | undefined;
  readonly cell: (row: CycleDiagnostics) => string | number | boolean | undefined;
}

function list(values: readonly number[] | undefined): string | undefined {
  return values?.join(' ');
}

const KEYS: readonly CsvColumn[] = [
  { name: 'method', longName: 'label of the method', unit: '', cell: (row) => toSpreadsheetText(row.method) },
  { name: 'cycle', longName: 'number of the cycle, from 0', unit: '', cell: (row) => row.cycle },
  {
    name: 'time_s',
    longName: 'time of the analysis since the start of the experiment',
    unit: 's',
    cell: (row) => row.timeSeconds,
  },
];

/** Lists, a number an iteration or an outer loop. */
const MINIMISATION_LISTS: readonly CsvColumn[] = [
  {
    name: 'cg_cost',
    longName: 'list: cost function at each iteration of the minimisation',
    unit: '',
    cell: ({ minimisation }) => list(minimisation?.cost),
  },
  {
    name: 'cg_background_cost',
    longName: 'list: its background part',
    unit: '',
    cell: ({ minimisation }) => list(minimisation?.backgroundCost),
  },
  {
    name: 'cg_observation_cost',
    longName: 'list: its observation part',
    unit: '',
    cell: ({ minimisation }) => list(minimisation?.observationCost),
  },
  {
    name: 'cg_residual',
    longName: 'list: norm of the residual over that of the first one',
    unit: '',
    cell: ({ minimisation }) => list(minimisation?.residual),
  },
  {
    name: 'cg_ritz_values',
    longName: 'list: Ritz values, estimates of the eigenvalues of the Hessian',
    unit: '',
    cell: ({ minimisation }) => list(minimisation?.ritzValues),
  },
  {
    name: 'outer_loop_iterations',
    longName: 'list: iterations of each outer loop, if there are several',
    unit: '',
    cell: ({ minimisation }) => list(minimisation?.outerLoops?.map(({ iterations }) => iterations)),
  },
  {
    name: 'outer_loop_cost',
    longName: 'list: cost function after each outer loop',
    unit: '',
    cell: ({ minimisation }) => list(minimisation?.outerLoops?.map(({ cost }) => cost)),
  },
];

function listColumn({ of, longName, ...rest }: ConsistencyList): CsvColumn {
  return { ...rest, longName: `list: ${longName}`, cell: (row) => list(of(row)) };
}

/** @param variables names of the model's variables, in order. @returns the columns in the order of the file */
export function csvColumns(variables: readonly string[]): readonly CsvColumn[] {
  return [
    ...KEYS,
    ...diagnosticColumns(variables).map(({ of, ...rest }): CsvColumn => ({ ...rest, cell: of })),
    ...rankLists(variables).map(listColumn),
    ...MINIMISATION_LISTS,
    ...consistencyLists(variables).map(listColumn),
    ...smoothedLists(variables).map(listColumn),
    ...regionLists(variables).map(listColumn),
    ...impactLists(variables).map(listColumn),
  ];
}

/** @param variables names of the model's variables, in order. @returns the first line, with its end */
export function formatDiagnosticsHeader(variables: readonly string[]): string {
  return `${csvFormatRows([csvColumns(variables).map(({ name }) => name)])}\n`;
}

/** @returns the lines under the header, each with its end */
export function formatDiagnosticsRows(variables: readonly string[], rows: readonly CycleDiagnostics[]): string {
  const all = csvColumns(variables);
  const lines = rows.map((row) => all.map(({ cell }) => String(cell(row) ?? '')));
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

/** A run of an earlier version wrote a spread of 0 of a method with one member, which has none. */
function spreads(row: Row): CycleDiagnostics['spread'] {
  return hasOneMember(row) ? { forecast: {}, analysis: {} } : stages(row, 'spread');
}

/** Level and pattern of the error; files of an earlier version had no such columns. */
function splitErrors(row: Row): Pick<CycleDiagnostics, 'meanError' | 'rmsePattern'> {
  const [meanError, rmsePattern] = [stages(row, 'mean_error'), stages(row, 'rmse_pattern')];
  return Object.keys(meanError.analysis).length > 0 ? { meanError, rmsePattern } : {};
}

function ranks(row: Row): CycleDiagnostics['rankHistogram'] {
  const prefix = 'rank_histogram_';
  return Object.fromEntries(
    Object.entries(row)
      .filter(([name, text]) => name.startsWith(prefix) && text !== '')
      .map(([name, text]) => [name.slice(prefix.length), numbers(text)]),
  );
}

/** Outer loops of an analysis with several of them; files of an earlier version had no such columns. */
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
  // An earlier version of this file called the times `forecast_ms` and `analysis_ms`.
  const time = (stage: string): number => Number(row[`milliseconds_${stage}`] ?? row[`${stage}_ms`]);
  const consistency = parseConsistency(row);
  const smoothed = parseErrorLists(row, 'smoothed');
  const regions = parseErrorLists(row, 'region');
  const impact = parseImpact(row);
  return {
    method: fromSpreadsheetText(row['method'] ?? ''),
    cycle: value('cycle'),
    timeSeconds: value('time_s'),
    rmse: stages(row, 'rmse'),
    ...splitErrors(row),
    spread: spreads(row),
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
    ...(smoothed && { smoothed }),
    ...(regions && { regions }),
    ...(impact && { impact }),
    ...(consistency && { consistency }),
    milliseconds: { forecast: time('forecast'), analysis: time('analysis') },
  };
}

/** Columns of text, or of lists of numbers. */
const NOT_NUMBERS: ReadonlySet<string> = new Set(['method', 'cg_converged']);

/** What is wrong with a cell, or undefined. */
function wrongCell(column: string, cell: string): string | undefined {
  const found = `found ${describeValue(cell)}, allowed:`;
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
