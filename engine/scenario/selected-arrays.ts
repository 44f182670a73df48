/** What a scenario takes from files: beds and states from variables of NetCDF-4 files, and places from CSV files. */
import { CaseError } from '../errors.ts';
import { openVariables, type Labels, type VariableFile } from '../files/hdf5-variable.ts';
import type { OpenHdf5 } from '../files/hdf5-reader.ts';
import type { NpyArray } from '../files/array-files.ts';
import { modelKindDefinition, waterOf } from '../model-kinds/index.ts';
import { quote, describeValue, listWords, suggestion } from '../settings/index.ts';
import type { ArraySelection, Path, Problem, ScenarioFiles, Table } from '../settings/index.ts';
import { scenarioBed } from './bed.ts';
import type { Scenario } from './schema.ts';
import { csvParseRows } from 'd3-dsv';

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

/** Units of lengths as files write them, in metres. */
const LENGTHS = { m: 1, metre: 1, metres: 1, meter: 1, meters: 1, cm: 0.01, mm: 0.001, km: 1000 } as const;
/** Units of momenta, in m²/s. */
const MOMENTA = {
  'm2 s-1': 1,
  'm2/s': 1,
  'm^2/s': 1,
  'm**2 s**-1': 1,
  'm²/s': 1,
  'cm2 s-1': 1e-4,
  'cm2/s': 1e-4,
} as const;

/** A reference to such a file, as far as it is needed here. */
interface SelectedReference {
  readonly file: string;
  readonly role: 'bathymetry' | 'truth' | 'background' | 'network';
  readonly selection?: ArraySelection;
}

/** @returns the labels of `dimension=label, …`. @throws CaseError for what is written otherwise */
function labelsIn(at: string, file: string): Labels {
  const labels = new Map<string, string>();
  for (const part of at.split(',').filter((each) => each.trim() !== '')) {
    const [, name, label] = /^\s*([^=]*[^=\s])\s*=\s*(.*\S)\s*$/.exec(part) ?? [];
    if (name === undefined) {
      throw new CaseError(`${file}: found ${quote(part.trim())} in "at", allowed: dimension=label, such as time=10`);
    }
    labels.set(name, label);
  }
  return labels;
}

/** @returns the name of a variable that is not given, by that of the surface: hu for eta; empty where the file has none */
async function companionOf(open: VariableFile, surface: string, name: string): Promise<string> {
  if (!/eta/.test(surface)) return '';
  const companion = surface.replace(/eta(?!.*eta)/, name);
  return (await open.has(companion)) ? companion : '';
}

/**
 * Reads what a setting selects: a bed [ny][nx], or states [variable][ny][nx], for each member where the file has so many.
 *
 * @throws CaseError naming file, variable, what was found and what is allowed
 */
export async function readSelectedArray(
  bytes: Uint8Array,
  { file, role, selection }: SelectedReference,
  scenario: Scenario,
  openHdf5: OpenHdf5 | undefined,
): Promise<NpyArray> {
  if (!openHdf5) throw new CaseError(`${file}: NetCDF files cannot be read here`);
  const { variables = [], at = '' } = selection ?? {};
  const { nx, ny } = scenario.grid;
  const { members } = scenario.background;
  const labels = labelsIn(at, file);
  const isWater = waterOf(scenario.model) !== undefined;
  const open = await openVariables(openHdf5, bytes, file);
  const planesOf = (variable: string, units: Readonly<Record<string, number>>) =>
    open.planes({ variable, at: labels, nx, ny, units, several: role === 'background' ? members : undefined });
  try {
    const [surface, ...momenta] = variables;
    const first = await planesOf(surface, isWater ? LENGTHS : {});
    if (role === 'bathymetry') return { shape: [ny, nx], data: first.data, type: 'f8' };
    const { length } = modelKindDefinition(scenario.model).variables;
    const parts = [first];
    for (const [index, given] of (isWater ? momenta : []).entries()) {
      const name = given || (await companionOf(open, surface, ['hu', 'hv'][index]));
      const found =
        name === '' ? { data: new Float64Array(first.data.length), count: first.count } : await planesOf(name, MOMENTA);
      if (found.count !== first.count) {
        throw new CaseError(`${file}: ${name}: found ${found.count} states, allowed: ${first.count}, as of ${surface}`);
      }
      parts.push(found);
    }
    const cells = nx * ny;
    const data = new Float64Array(first.count * length * cells);
    for (let state = 0; state < first.count; state++) {
      parts.forEach((part, variable) =>
        data.set(part.data.subarray(state * cells, (state + 1) * cells), (state * length + variable) * cells),
      );
    }
    return { shape: first.count > 1 ? [first.count, length, ny, nx] : [length, ny, nx], data, type: 'f8' };
  } finally {
    open.close();
  }
}

/** Surface and bed are the same to float32 precision. */
const SAME_HEIGHT = 2 ** -23;

/** @returns where a surface, or a depth, that a file gives leaves no water over the bed, for schemes that need some everywhere */
export function surfaceProblems(scenario: Scenario, files: ScenarioFiles): Problem[] {
  const water = waterOf(scenario.model);
  if (!water) return [];
  const { nx } = scenario.grid;
  const dryAllowed = water.scheme === 'central-upwind';
  let bed: Float64Array | undefined;
  const places: readonly (readonly [Path, Scenario['truth' | 'background']['initial']])[] = [
    [['truth', 'initial', 'variable'], scenario.truth.initial],
    [['background', 'initial', 'variable'], scenario.background.initial],
  ];
  return places.flatMap(([path, initial]): Problem[] => {
    if (initial.kind !== 'netcdf') return [];
    const { file, variable, hu, hv, at, holds } = initial;
    const { data } = files.array(file, { variables: [variable, hu, hv], at });
    bed ??= scenarioBed(scenario, files);
    const ground = bed;
    const cells = ground.length;
    const depthAt = (index: number): number => data[index] - (holds === 'depth' ? 0 : ground[index % cells]);
    const isSurface = (index: number): boolean => Math.floor(index / cells) % 3 === 0;
    const least = (index: number): number => (dryAllowed ? -SAME_HEIGHT * Math.abs(ground[index % cells]) : 0);
    const bad = data.findIndex((_, i) => isSurface(i) && (dryAllowed ? depthAt(i) < least(i) : depthAt(i) <= 0));
    if (bad < 0) return [];
    const cell = bad % cells;
    const place = `[${Math.floor(cell / nx)}, ${cell % nx}]`;
    const allowed = dryAllowed ? 'at least 0' : 'above 0';
    const message = `${file}: ${variable}: found a depth of ${depthAt(bad)} m at [y, x] = ${place}, allowed: ${allowed}`;
    return [{ path, message }];
  });
}
