/** Reads a case folder: `case.json` with its parameters, arrays and tolerance. Everything in it is checked before use. */
import { z } from 'zod';
import { CaseError } from '../errors.ts';
import { parseNpy } from '../files/npy.ts';
import { nearest } from '../settings/index.ts';
import { quote, shown } from '../words.ts';
import { assertFinite } from './case-arrays.ts';
import type { CaseArray, CaseInputs } from './case-arrays.ts';
import type { CaseOperator } from './case-operator.ts';

/** @returns a file of the case folder, or undefined if there is none */
export type ReadCaseFile = (name: string) => Promise<Uint8Array | undefined>;

export interface Case {
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

/** @returns a problem that the validator found, on one line */
function describeIssue(issue: z.core.$ZodIssue, at: readonly string[], schema: z.ZodType): string {
  if (issue.code === 'unrecognized_keys') {
    const [key] = issue.keys;
    return `${place([...at, ...issue.path, key])}: unknown key; ${suggest(key, issue.path.length === 0 ? knownKeys(schema) : [])}`;
  }
  const where = place([...at, ...issue.path]);
  return `${where === '' ? '' : `${where}: `}${shown(issue.message.replace(/^Invalid \w+: /, ''))}`;
}

function checked<Schema extends z.ZodType>(
  value: unknown,
  schema: Schema,
  file: string,
  at: readonly string[] = [],
): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new CaseError(`${file}: ${result.error.issues.map((issue) => describeIssue(issue, at, schema)).join('; ')}`);
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
export async function readCase(
  folder: string,
  readFile: ReadCaseFile,
  operators: readonly CaseOperator[],
): Promise<Case> {
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
  return { ...parseNpy(bytes, path), file: shown(path) };
}
