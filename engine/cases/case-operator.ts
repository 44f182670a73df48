/** What the case of one operator is: its parameters, its arrays, and how they become the operator's fields. */
import type { Backend, Field, FieldKinds, FieldsOf, Operator } from '../compute/backend.ts';
import { CaseError } from '../errors.ts';
import type { NpyArray } from '../files/npy.ts';
import { z } from 'zod';

/** Cells of a grid as numpy has them: [ny, nx]. */
export const gridShape = z.tuple([z.int().min(1), z.int().min(1)]);

/** A number above 0, finite. */
export const positive = z.number().positive();

/** Whether an axis is periodic. */
export const periodicity = z.boolean().default(false);

/** Iterations of a filter or steps of a model; the bound keeps a slip of the pen from running for days. */
export const iterations = z.int().min(1).max(100_000);

/** @returns [columns][rows] of an array [rows][columns] */
export function transpose(values: Float64Array, rows: number, columns: number): Float64Array {
  const transposed = new Float64Array(values.length);
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) transposed[column * rows + row] = values[row * columns + column];
  }
  return transposed;
}

/** An array of a case, with the file that it came from. */
export interface CaseArray extends NpyArray {
  /** Path for messages. */
  readonly file: string;
}

export type CaseInputs = Readonly<Record<string, CaseArray>>;

/** @returns a shape as numpy writes it */
function shapeText(shape: readonly number[]): string {
  return `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
}

/** @throws CaseError when a value is NaN or infinite */
export function assertFinite({ file, data }: CaseArray): void {
  const index = data.findIndex((value) => !Number.isFinite(value));
  if (index >= 0) throw new CaseError(`${file}: element ${index} is ${data[index]}, only finite numbers are allowed`);
}

/** @throws CaseError when the array has another number of axes, or an axis has no elements */
export function assertAxes({ file, shape }: CaseArray, allowed: readonly number[], what: string): void {
  if (allowed.includes(shape.length) && shape.every((extent) => extent > 0)) return;
  throw new CaseError(`${file}: found the shape ${shapeText(shape)}, allowed: ${what}`);
}

/** @throws CaseError when the array has not exactly this shape */
export function assertShape({ file, shape }: CaseArray, wanted: readonly number[], what: string): void {
  if (shape.length === wanted.length && shape.every((extent, axis) => extent === wanted[axis])) return;
  throw new CaseError(`${file}: found the shape ${shapeText(shape)}, allowed: ${shapeText(wanted)}: ${what}`);
}

/** @throws CaseError when a value is not a whole number of `least` … `below − 1` */
export function assertIndices({ file, data }: CaseArray, least: number, below: number): void {
  const index = data.findIndex((value) => !Number.isInteger(value) || value < least || value >= below);
  if (index < 0) return;
  throw new CaseError(
    `${file}: element ${index} is ${data[index]}, allowed: whole numbers from ${least} to ${below - 1}`,
  );
}

/** @throws CaseError when a value is not above 0 */
export function assertPositive({ file, data }: CaseArray): void {
  const index = data.findIndex((value) => !(value > 0));
  if (index >= 0) throw new CaseError(`${file}: element ${index} is ${data[index]}, allowed: numbers above 0`);
}

/** A sparse matrix in compressed rows. */
export interface CompressedRows {
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
  readonly data: Float64Array;
}

/**
 * H from `hData`, `hIndices` and `hIndptr`.
 * @throws CaseError for anything that is not a matrix of that many columns
 */
export function compressedRows({ hData, hIndices, hIndptr }: CaseInputs, columns: number): CompressedRows {
  assertAxes(hIndptr, [1], 'one number more than H has rows');
  if (hIndptr.shape[0] < 2) throw new CaseError(`${hIndptr.file}: H has no rows, at least one is needed`);
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

/** For each field its values, or its length where the operator writes it. */
type FieldValues<Kinds extends FieldKinds> = { readonly [Name in keyof Kinds]: ArrayLike<number> | number };

/** @returns the fields that were given by their length, read back as float64 */
export async function runOperator<Parameters, Kinds extends FieldKinds>(
  backend: Backend,
  operator: Operator<Parameters, Kinds>,
  parameters: Parameters,
  values: FieldValues<Kinds>,
): Promise<{ readonly [Name in keyof Kinds]: Float64Array }> {
  const fields = new Map<string, Field>();
  try {
    for (const [name, kind] of Object.entries(operator.fields)) {
      const given = values[name];
      // A field has at least one element, an empty array none: what pads it is never looked at.
      const length = typeof given === 'number' ? given : Math.max(1, given.length);
      const field = backend.allocate(`${operator.name}.${name}`, kind, length);
      fields.set(name, field);
      backend.write(field, typeof given === 'number' || given.length === 0 ? new Float64Array(length) : given);
    }
    const prepared = await backend.prepare(operator, parameters);
    try {
      prepared.run(Object.fromEntries(fields) as FieldsOf<Kinds>);
      const results: Record<string, Float64Array> = {};
      for (const [name, field] of fields) {
        if (typeof values[name] === 'number') results[name] = Float64Array.from(await backend.read(field));
      }
      return results as { readonly [Name in keyof Kinds]: Float64Array };
    } finally {
      prepared.dispose();
    }
  } finally {
    for (const field of fields.values()) field.dispose();
  }
}

/** An array that a case gives. */
export interface CaseOutput {
  readonly shape: readonly number[];
  readonly data: Float64Array;
}

export interface CaseOperator {
  /** As `case.json` has it. */
  readonly name: string;
  readonly parameters: z.ZodType;
  readonly inputs: readonly string[];
  readonly optionalInputs: readonly string[];
  readonly outputs: readonly string[];
  /** @throws CaseError when the arrays do not fit each other or the parameters */
  run(
    backend: Backend,
    parameters: unknown,
    inputs: CaseInputs,
    progress: CaseProgress,
  ): Promise<Readonly<Record<string, CaseOutput>>>;
}

/** Called with the share of the work that is done, 0 … 1, by operators that take many steps. */
export type CaseProgress = (share: number) => void;

/** Joins a schema of parameters and a run that takes what the schema gives. */
export function caseOperator<Schema extends z.ZodType>(description: {
  readonly name: string;
  readonly parameters: Schema;
  readonly inputs: readonly string[];
  readonly optionalInputs?: readonly string[];
  readonly outputs: readonly string[];
  readonly run: (
    backend: Backend,
    parameters: z.output<Schema>,
    inputs: CaseInputs,
    progress: CaseProgress,
  ) => Promise<Readonly<Record<string, CaseOutput>>>;
}): CaseOperator {
  return {
    optionalInputs: [],
    ...description,
    run: (backend, parameters, inputs, progress) =>
      description.run(backend, parameters as z.output<Schema>, inputs, progress),
  };
}
