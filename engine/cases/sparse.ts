/** Sparse matrices of cases: H in compressed rows or as coordinates, and P Hᵀ in compressed rows. */
import { CaseError } from '../errors.ts';
import { assertAxes, assertIndices, assertShape } from './case-operator.ts';
import type { CaseArray, CaseInputs, CaseOutput } from './case-operator.ts';

/** A sparse matrix in compressed rows. */
export interface CompressedRows {
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
  readonly data: Float64Array;
}

/**
 * The arrays of H, of which a case has those of one form: compressed rows, coordinates, or coordinates as one table of row,
 * column and value. Indices count from 0.
 */
export const H_INPUTS = ['hData', 'hIndices', 'hIndptr', 'hRow', 'hCol', 'hCoo'] as const;

const FORMS = [['hData', 'hIndices', 'hIndptr'], ['hData', 'hRow', 'hCol'], ['hCoo']] as const;

/** @throws CaseError for anything that is not a matrix of that many columns */
function fromRows({ hData, hIndices, hIndptr }: CaseInputs, columns: number): CompressedRows {
  assertAxes(hIndptr, [1], 'one number more than H has rows');
  if (hIndptr.data.length < 2) throw new CaseError(`${hIndptr.file}: H has no rows, at least one is needed`);
  const entries = hData.data.length;
  assertShape(hData, [entries], 'one number an entry of H');
  assertShape(hIndices, [entries], 'one column for each entry of hData');
  assertIndices(hIndptr, 0, entries + 1);
  assertIndices(hIndices, 0, columns);
  const starts = hIndptr.data;
  const falling = starts.findIndex((start, row) => row > 0 && start < starts[row - 1]);
  if (falling > 0) {
    throw new CaseError(
      `${hIndptr.file}: element ${falling} is ${starts[falling]} after ${starts[falling - 1]}, the starts of rows never fall`,
    );
  }
  const [first, last] = [starts[0], starts[starts.length - 1]];
  if (first !== 0 || last !== entries) {
    throw new CaseError(`${hIndptr.file}: found ${first} … ${last}, allowed: 0 … ${entries}, the entries of hData`);
  }
  return { indptr: Uint32Array.from(starts), indices: Uint32Array.from(hIndices.data), data: hData.data };
}

/** Entries in any order. */
interface Coordinates {
  readonly row: Float64Array;
  readonly column: Float64Array;
  readonly value: Float64Array;
}

/** @returns the entries sorted by row and column, those of the same place added up */
function compress({ row, column, value }: Coordinates, rows: number): CompressedRows {
  const order = Uint32Array.from(row.keys()).sort((a, b) => row[a] - row[b] || column[a] - column[b] || a - b);
  const indptr = new Uint32Array(rows + 1);
  const indices: number[] = [];
  const data: number[] = [];
  let before = -1;
  for (const entry of order) {
    if (before >= 0 && row[before] === row[entry] && column[before] === column[entry]) {
      data[data.length - 1] += value[entry];
    } else {
      indices.push(column[entry]);
      data.push(value[entry]);
      indptr[row[entry] + 1] += 1;
    }
    before = entry;
  }
  for (let j = 0; j < rows; j++) indptr[j + 1] += indptr[j];
  return { indptr, indices: Uint32Array.from(indices), data: Float64Array.from(data) };
}

/** A column of the table of entries, whose elements keep their place in the file. */
function columnOf(table: CaseArray, at: number): CaseArray {
  const { placeOf } = table;
  const data = table.data.filter((_, index) => index % 3 === at);
  const place = (index: number): string => placeOf?.(3 * index + at) ?? `row ${index}, column ${at}`;
  return { ...table, data, shape: [data.length], placeOf: place };
}

/** Rows that coordinates may name unless the parameters say how many there are: a file of one line must not take all memory. */
const MOST_ROWS = 2 ** 24;

/** @throws CaseError */
function fromCoordinates(hRow: CaseArray, hCol: CaseArray, hData: CaseArray, size: Size): CompressedRows {
  const entries = hData.data.length;
  assertShape(hData, [entries], 'one number an entry of H');
  assertShape(hRow, [entries], 'one row for each entry of hData');
  assertShape(hCol, [entries], 'one column for each entry of hData');
  const most = hRow.data.reduce((a, b) => Math.max(a, b), 0);
  assertIndices(hRow, 0, size.rows ?? MOST_ROWS);
  assertIndices(hCol, 0, size.columns);
  return compress({ row: hRow.data, column: hCol.data, value: hData.data }, size.rows ?? most + 1);
}

interface Size {
  readonly columns: number;
  /** Undefined where the matrix says it: coordinates then have an entry in the last row. */
  readonly rows?: number | undefined;
}

/** @returns H. @throws CaseError for anything that is not a matrix of that size */
export function sparseMatrix(inputs: CaseInputs, size: Size): CompressedRows {
  const given = H_INPUTS.filter((name) => inputs[name] !== undefined);
  const form = FORMS.find((names) => names.length === given.length && names.every((name) => inputs[name]));
  if (!form) {
    const found = given.length === 0 ? 'none' : given.join(', ');
    throw new CaseError(
      `inputs: found ${found} of H, allowed: ${FORMS.map((names) => names.join(', ')).join('; or ')}`,
    );
  }
  const { hData, hRow, hCol, hCoo, hIndptr } = inputs;
  if (hIndptr) {
    const matrix = fromRows(inputs, size.columns);
    if (size.rows !== undefined) assertShape(hIndptr, [size.rows + 1], 'one number more than H has rows');
    return matrix;
  }
  if (!hCoo) return fromCoordinates(hRow, hCol, hData, size);
  if (hCoo.data.length % 3 !== 0 || (hCoo.data.length !== 3 && hCoo.shape[1] !== 3)) {
    throw new CaseError(
      `${hCoo.file}: found the shape ${hCoo.shape.join(' × ')}, allowed: row, column and value of each entry`,
    );
  }
  const [row, column, value] = [0, 1, 2].map((at) => columnOf(hCoo, at));
  return fromCoordinates(row, column, value, size);
}

function vector(values: readonly number[] | Float64Array): CaseOutput {
  return { shape: [values.length], data: Float64Array.from(values) };
}

/** @returns what is not 0 of a matrix [rows][columns], as arrays of a case whose names begin with `name` */
export function compressedOutputs(
  name: string,
  { shape: [rows, columns], data }: CaseOutput,
): Readonly<Record<string, CaseOutput>> {
  const places: number[] = [];
  for (const [place, value] of data.entries()) if (value !== 0) places.push(place);
  const indptr = new Float64Array(rows + 1);
  for (const place of places) indptr[Math.floor(place / columns) + 1] += 1;
  for (let row = 0; row < rows; row++) indptr[row + 1] += indptr[row];
  return {
    [`${name}Data`]: vector(places.map((place) => data[place])),
    [`${name}Indices`]: vector(places.map((place) => place % columns)),
    [`${name}Indptr`]: vector(indptr),
  };
}
