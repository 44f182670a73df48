/** What the case of one operator is: its parameters, its arrays, and how they become the operator's fields. */
import type { Backend, Field, FieldKinds, FieldsOf, Operator } from '../compute/backend.ts';
import { CaseError } from '../errors.ts';
import type { NpyArray } from '../files/array-files.ts';
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
  /** Where an element of a text is; absent of a .npy file. */
  readonly placeOf?: (index: number) => string;
}

/** @returns the file and where in it an element is */
function placeOf({ file, placeOf: inText }: CaseArray, index: number): string {
  return `${file}: ${inText?.(index) ?? `element ${index}`}`;
}

export type CaseInputs = Readonly<Record<string, CaseArray>>;

/** @returns a shape as numpy writes it */
function shapeText(shape: readonly number[]): string {
  return `(${shape.join(', ')}${shape.length === 1 ? ',' : ''})`;
}

/** @throws CaseError when a value is NaN or infinite */
export function assertFinite(array: CaseArray): void {
  const { data } = array;
  const index = data.findIndex((value) => !Number.isFinite(value));
  if (index >= 0) throw new CaseError(`${placeOf(array, index)} is ${data[index]}, only finite numbers are allowed`);
}

/** @throws CaseError when the array has another number of axes, or an axis has no elements */
export function assertAxes({ file, shape }: CaseArray, allowed: readonly number[], what: string): void {
  if (allowed.includes(shape.length) && shape.every((extent) => extent > 0)) return;
  throw new CaseError(`${file}: found the shape ${shapeText(shape)}, allowed: ${what}`);
}

function isSame(shape: readonly number[], other: readonly number[]): boolean {
  return shape.length === other.length && shape.every((extent, axis) => extent === other[axis]);
}

function longAxes(shape: readonly number[]): readonly number[] {
  return shape.filter((extent) => extent !== 1);
}

/** @throws CaseError when the array has not exactly this shape; axes of one element do not count in a text */
export function assertShape(
  { file, shape, placeOf: inText }: CaseArray,
  wanted: readonly number[],
  what: string,
): void {
  if (isSame(shape, wanted) || (inText && isSame(longAxes(shape), longAxes(wanted)))) return;
  throw new CaseError(`${file}: found the shape ${shapeText(shape)}, allowed: ${shapeText(wanted)}: ${what}`);
}

/** @throws CaseError when a value is not a whole number of `least` … `below − 1` */
export function assertIndices(array: CaseArray, least: number, below: number): void {
  const { data } = array;
  const index = data.findIndex((value) => !Number.isInteger(value) || value < least || value >= below);
  if (index < 0) return;
  throw new CaseError(
    `${placeOf(array, index)} is ${data[index]}, allowed: whole numbers from ${least} to ${below - 1}`,
  );
}

/** @throws CaseError when a value is not above 0 */
export function assertPositive(array: CaseArray): void {
  const { data } = array;
  const index = data.findIndex((value) => !(value > 0));
  if (index >= 0) throw new CaseError(`${placeOf(array, index)} is ${data[index]}, allowed: numbers above 0`);
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
