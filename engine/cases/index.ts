/**
 * Operator cases: a folder with parameters, input arrays and, where they are known, expected arrays. Each operator’s case says
 * how they become its fields.
 */
import type { Backend } from '../compute/backend.ts';
import { CaseError } from '../errors.ts';
import { assertShape, assertFinite } from './case-operator.ts';
import type { CaseArray, CaseInputs, CaseOperator, CaseOutput, CaseProgress } from './case-operator.ts';
import { convolutionCase, recursiveFilterCase } from './filters.ts';
import { gainCovarianceCase, letkfCase } from './letkf.ts';
import { shown, quote } from '../words.ts';
import { shallowWaterCase } from './shallow-water.ts';
import { variationalCase } from './variational.ts';
import { z } from 'zod';
import { parseNpy, parseCsvArray } from '../files/array-files.ts';
import { describeValue, nearest } from '../settings/index.ts';

/** @returns a file of the case folder, or undefined if there is none */
export type ReadCaseFile = (name: string) => Promise<Uint8Array | undefined>;

interface Case {
  readonly operator: CaseOperator;
  readonly parameters: unknown;
  readonly inputs: CaseInputs;
  readonly expected: CaseInputs;
  /** Allowed max|a − b| / max(1, max|b|), by precision of the backend. */
  readonly tolerance: { readonly float64: number; readonly float32: number } | undefined;
}

const fileList = z.record(z.string(), z.string().min(1));
const description = z.looseObject({
  operator: z.string(),
  parameters: z.record(z.string(), z.unknown()).default({}),
  inputs: fileList,
  outputs: fileList.default({}),
  tolerance: z.strictObject({ float64: z.number().min(0), float32: z.number().min(0) }).optional(),
});
const KEYS = Object.keys(description.shape);

function suggest(word: string, known: readonly string[]): string {
  const near = nearest(word, known);
  return near === undefined ? `allowed: ${known.join(', ')}` : `did you mean ${near}?`;
}

function knownKeys(schema: z.ZodType): string[] {
  return schema instanceof z.ZodObject ? Object.keys(schema.shape) : [];
}

function place(path: readonly PropertyKey[]): string {
  return shown(path.map(String).join('.'));
}

/** What a message of the validator's says is allowed. */
const EXPECTED = /^[^:]+: expected (.*?)(?:, received .*)?$/;

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce((at, key) => (at as Readonly<Record<PropertyKey, unknown>> | undefined)?.[key], value);
}

/** @returns a problem that the validator found in a value, on one line */
function describeIssue(issue: z.core.$ZodIssue, value: unknown, at: readonly string[], schema: z.ZodType): string {
  if (issue.code === 'unrecognized_keys') {
    const [key] = issue.keys;
    return `${place([...at, ...issue.path, key])}: unknown key; ${suggest(key, issue.path.length === 0 ? knownKeys(schema) : [])}`;
  }
  const where = place([...at, ...issue.path]);
  const found = valueAt(value, issue.path);
  const expected = EXPECTED.exec(issue.message)?.[1] ?? issue.message;
  const allowed = shown(expected.replace(' to be ', ' ').replace(/^int$/, 'whole number'));
  return `${where === '' ? '' : `${where}: `}${found === undefined ? 'missing' : `found ${describeValue(found)}`}, allowed: ${allowed}`;
}

function checked<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
  file: string,
  at: readonly string[] = [],
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new CaseError(
    `${file}: ${result.error.issues.map((issue) => describeIssue(issue, value, at, schema)).join('; ')}`,
  );
}

function parseJson(bytes: Uint8Array, file: string): unknown {
  const text = new TextDecoder().decode(bytes).replace(/^\uFEFF/, '');
  if (text.trim() === '') throw new CaseError(`${file}: the file is empty, a JSON object is needed`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new CaseError(`${file}: not JSON: ${error instanceof Error ? shown(error.message) : 'damaged'}`);
  }
}

/** A misspelt key is refused; any other key is a remark of the case's author. */
function refuseMisspeltKeys(value: object, file: string): void {
  for (const key of Object.keys(value)) {
    const near = KEYS.includes(key) ? undefined : nearest(key, KEYS);
    if (near !== undefined) throw new CaseError(`${file}: unknown key ${quote(key)}; did you mean ${near}?`);
  }
}

/**
 * @param folder what to call the folder in an error
 * @param operators those that there are
 * @throws CaseError naming the file and what is wrong with it
 */
async function readCase(folder: string, readFile: ReadCaseFile, operators: readonly CaseOperator[]): Promise<Case> {
  const file = shown(`${folder}/case.json`);
  const bytes = await readFile('case.json');
  if (!bytes) throw new CaseError(`${file}: there is no such file; a case folder has one`);
  const value = parseJson(bytes, file);
  if (typeof value === 'object' && value !== null) refuseMisspeltKeys(value, file);
  const found = checked(value, description, file);
  const operator = operators.find(({ name }) => name === found.operator);
  if (!operator) {
    const names = operators.map(({ name }) => name);
    throw new CaseError(`${file}: there is no operator ${quote(found.operator)}; ${suggest(found.operator, names)}`);
  }
  const parameters = checked(found.parameters, operator.parameters, file, ['parameters']);
  checkNames(found.inputs, [...operator.inputs, ...operator.optionalInputs], `${file}: inputs`);
  checkNames(found.outputs, operator.outputs, `${file}: outputs`);
  const missing = operator.inputs.find((name) => !Object.hasOwn(found.inputs, name));
  if (missing !== undefined) throw new CaseError(`${file}: inputs.${missing}: missing, the operator needs this array`);
  const readAll = async (files: Readonly<Record<string, string>>): Promise<CaseInputs> => {
    const arrays: Record<string, CaseArray> = {};
    for (const [name, npy] of Object.entries(files)) arrays[name] = await readArray(`${folder}/${npy}`, npy, readFile);
    return arrays;
  };
  const inputs = await readAll(found.inputs);
  for (const array of Object.values(inputs)) assertFinite(array);
  const expected = await readAll(found.outputs);
  for (const array of Object.values(expected)) assertFinite(array);
  return { operator, parameters, inputs, expected, tolerance: found.tolerance };
}

function checkNames(files: Readonly<Record<string, string>>, allowed: readonly string[], where: string): void {
  const unknown = Object.keys(files).find((name) => !allowed.includes(name));
  if (unknown !== undefined)
    throw new CaseError(`${where}.${shown(unknown)}: unknown array; ${suggest(unknown, allowed)}`);
}

async function readArray(path: string, name: string, readFile: ReadCaseFile): Promise<CaseArray> {
  const bytes = await readFile(name);
  if (!bytes) throw new CaseError(`${shown(path)}: there is no such file`);
  const read = name.toLowerCase().endsWith('.npy') ? parseNpy : parseCsvArray;
  return { ...read(bytes, path), file: shown(path) };
}

const OPERATORS: readonly CaseOperator[] = [
  recursiveFilterCase,
  convolutionCase,
  shallowWaterCase,
  variationalCase,
  letkfCase,
  gainCovarianceCase,
];

export interface CaseResult {
  readonly operator: string;
  readonly outputs: Readonly<Record<string, CaseOutput>>;
  /** max|a − b| / max(1, max|b|) against each expected array, by its name; NaN where the output is not a number. */
  readonly errors: Readonly<Record<string, number>>;
  /** What the case allows on this backend. */
  readonly tolerance: number | undefined;
  /** The first number of an output that is not finite, in words: the case then fails, whatever is expected of it. */
  readonly notFinite: string | undefined;
  /** Whether all is finite and every error within the tolerance; undefined if nothing is held against it. */
  readonly passed: boolean | undefined;
}

/** @returns max|a − b| / max(1, max|b|), or NaN as soon as `actual` has one */
export function relativeError(actual: ArrayLike<number>, expected: ArrayLike<number>): number {
  let worst = 0;
  let scale = 1;
  for (let i = 0; i < expected.length; i++) {
    const difference = Math.abs(actual[i] - expected[i]);
    if (Number.isNaN(difference)) return NaN;
    worst = Math.max(worst, difference);
    scale = Math.max(scale, Math.abs(expected[i]));
  }
  return worst / scale;
}

/** @throws CaseError where the outputs have no such array, or of another shape */
function compare(outputs: Readonly<Record<string, CaseOutput>>, name: string, expected: CaseArray): number {
  const output = outputs[name];
  if (output === undefined) {
    const given = Object.keys(outputs).join(', ');
    throw new CaseError(`${expected.file}: found outputs.${name}, allowed with these parameters: ${given}`);
  }
  assertShape(expected, output.shape, 'that of the result');
  return relativeError(output.data, expected.data);
}

/** @returns `volume: element 3 is Infinity` */
function firstNotFinite(outputs: Readonly<Record<string, CaseOutput>>): string | undefined {
  for (const [name, { data }] of Object.entries(outputs)) {
    const index = data.findIndex((value) => !Number.isFinite(value));
    if (index >= 0) return `${name}: element ${index} is ${data[index]}`;
  }
  return undefined;
}

/**
 * Reads and runs one case.
 * @param folder what to call the folder in an error
 * @param progress takes how far a case of many steps is
 * @throws CaseError when the case is not well formed; DivergenceError when a forecast of it goes wrong
 */
export async function runCase(
  backend: Backend,
  folder: string,
  readFile: ReadCaseFile,
  progress: CaseProgress = () => undefined,
): Promise<CaseResult> {
  const { operator, parameters, inputs, expected, tolerance } = await readCase(folder, readFile, OPERATORS);
  const outputs = await operator.run(backend, parameters, inputs, progress).catch((error: unknown) => {
    const named = error instanceof CaseError && !error.message.startsWith(shown(folder));
    throw named ? new CaseError(`${shown(`${folder}/case.json`)}: ${error.message}`) : error;
  });
  const errors = Object.fromEntries(
    Object.entries(expected).map(([name, array]) => [name, compare(outputs, name, array)]),
  );
  const allowed = tolerance?.[backend.precision];
  const notFinite = firstNotFinite(outputs);
  const within = Object.values(errors).every((error) => allowed !== undefined && error <= allowed);
  const judged = allowed !== undefined && Object.keys(errors).length > 0;
  return {
    operator: operator.name,
    outputs,
    errors,
    tolerance: allowed,
    notFinite,
    passed: notFinite !== undefined ? false : judged ? within : undefined,
  };
}
