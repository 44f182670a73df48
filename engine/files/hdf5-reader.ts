/**
 * What is asked of HDF5 files, as plain data: facts of variables and their numbers. The library that answers may run for ever over
 * a damaged file, or fail in any way; so whoever asks holds a reader that somebody can end, and reads nothing in a thread of his own.
 */
import type { Dataset, File } from 'h5wasm';
import { CaseError } from '../errors.ts';
import { shown } from '../words.ts';
import { openHdf5, type ByteSource } from './hdf5.ts';

/** Places along a dimension: from, and before which. */
export type Range = [number, number];

/** Numbers as a file holds them. */
export type StoredNumbers =
  | Int8Array
  | Uint8Array
  | Int16Array
  | Uint16Array
  | Int32Array
  | Uint32Array
  | BigInt64Array
  | BigUint64Array
  | Float32Array
  | Float64Array;

/** What a file says of a variable. It is not trusted: a length may be any number. */
export interface VariableFacts {
  readonly shape: readonly number[];
  readonly holds: 'whole numbers' | 'real numbers' | 'text' | 'something else';
  /** By dimension, the path of its coordinate variable; undefined where it has none. */
  readonly scales: readonly (string | undefined)[];
  /** Those that were asked for, as far as they are there and are one text or one number. */
  readonly attributes: Readonly<Record<string, string | number>>;
}

/** A file that is being read. Each of its promises rejects with a CaseError that names file and variable where it cannot be read. */
export interface Hdf5Reader {
  /** @returns undefined if there is no such variable */
  variable(path: string, attributes?: readonly string[]): Promise<VariableFacts | undefined>;
  /** @returns paths of the variables with two dimensions or more */
  planes(): Promise<readonly string[]>;
  /** @param ranges one for each dimension */
  numbers(path: string, ranges: readonly Range[]): Promise<StoredNumbers>;
  /** @returns all of a variable with one dimension */
  labels(path: string): Promise<readonly (string | number)[]>;
  close(): void;
}

/**
 * Opens a file.
 *
 * @param name of the file, for messages
 * @throws CaseError naming the file, where it is no HDF5 file
 */
export type OpenHdf5 = (content: Uint8Array | ByteSource, name: string) => Promise<Hdf5Reader>;

/** HDF5's classes of types. */
const HOLDS: Readonly<Record<number, VariableFacts['holds']>> = { 0: 'whole numbers', 1: 'real numbers', 3: 'text' };
/** Largest chunk that is unpacked, and what is read at a time at most, bytes. */
const MOST_BYTES = 2 ** 28;
/** Longest list of labels, and the longest text, bytes. */
const MOST_LABELS = 2 ** 20;
const MOST_TEXT_BYTES = 2 ** 16;

function kindOf(type: number | undefined): VariableFacts['holds'] {
  return (type === undefined ? undefined : HOLDS[type]) ?? 'something else';
}

function single(value: unknown): string | number {
  const first: unknown = Array.isArray(value) || ArrayBuffer.isView(value) ? (value as ArrayLike<unknown>)[0] : value;
  return typeof first === 'string' ? first : Number(first);
}

function attributesOf({ attrs }: Dataset, names: readonly string[]): VariableFacts['attributes'] {
  const found: Record<string, string | number> = {};
  for (const name of names) {
    if (!Object.hasOwn(attrs, name)) continue;
    const attribute = attrs[name];
    const { type, total_size: length, size } = attribute.metadata;
    if (length !== 1 || size > MOST_TEXT_BYTES || kindOf(type) === 'something else') continue;
    found[name] = single(attribute.value);
  }
  return found;
}

/** HDF5 fails where a group on the way is missing. */
function isThere(file: File, path: string): boolean {
  const names = path.split('/').filter((name) => name !== '');
  return names.every((_, index) => file.get(names.slice(0, index + 1).join('/')) !== null);
}

function datasetIn(file: File, path: string): Dataset | undefined {
  if (!isThere(file, path)) return undefined;
  const found = file.get(path);
  return found && 'get_attached_scales' in found ? found : undefined;
}

function mebibytes(bytes: number): string {
  return `${Math.ceil(bytes / 2 ** 20)} MiB`;
}

/** @throws CaseError where what is asked for takes too much to read, or is in other files */
function readable(file: File, path: string, where: string): Dataset {
  const dataset = datasetIn(file, path);
  if (!dataset) throw new CaseError(`${where}: there is no such variable`);
  const { chunks, size, virtual_sources: sources } = dataset.metadata;
  if (sources && sources.length > 0) {
    throw new CaseError(`${where}: its numbers are in other files, allowed: one file`);
  }
  const chunkBytes = (chunks ?? []).reduce((product, length) => product * length, size);
  if (chunkBytes > MOST_BYTES) {
    throw new CaseError(`${where}: found chunks of ${mebibytes(chunkBytes)}, allowed: ${mebibytes(MOST_BYTES)}`);
  }
  return dataset;
}

function numbersIn(file: File, path: string, ranges: readonly Range[], where: string): StoredNumbers {
  const dataset = readable(file, path, where);
  const { metadata } = dataset;
  if (!['whole numbers', 'real numbers'].includes(kindOf(metadata.type))) {
    throw new CaseError(`${where}: found something else than numbers, allowed: real and whole numbers`);
  }
  const count = ranges.reduce((product, [from, to]) => product * (to - from), 1);
  if (count * metadata.size > MOST_BYTES) {
    const [found, most] = [count * metadata.size, MOST_BYTES].map(mebibytes);
    throw new CaseError(`${where}: ${found} would be read at once, allowed: ${most}`);
  }
  const values = dataset.slice(ranges.map(([from, to]) => [from, to]));
  if (ArrayBuffer.isView(values) && !(values instanceof Uint8ClampedArray) && values.length === count) return values;
  throw new CaseError(`${where}: found other numbers than its shape says`);
}

function labelsIn(file: File, path: string, where: string): readonly (string | number)[] {
  const dataset = readable(file, path, where);
  const { type, size, total_size: length, shape } = dataset.metadata;
  if (shape?.length !== 1 || length > MOST_LABELS || length * size > MOST_BYTES || kindOf(type) === 'something else') {
    throw new CaseError(`${where}: found no list of labels, allowed: up to ${MOST_LABELS} numbers or texts`);
  }
  return Array.from(dataset.value as ArrayLike<unknown>, single);
}

function factsIn(file: File, path: string, attributes: readonly string[]): VariableFacts | undefined {
  const dataset = datasetIn(file, path);
  if (!dataset) return undefined;
  const shape = dataset.shape ?? [];
  return {
    shape,
    holds: kindOf(dataset.metadata.type),
    scales: shape.map((_, index) => dataset.get_attached_scales(index).at(0)),
    attributes: attributesOf(dataset, attributes),
  };
}

function planesIn(file: File): readonly string[] {
  return file.paths().filter((path) => (datasetIn(file, path)?.shape?.length ?? 0) >= 2);
}

/**
 * Reads in the thread that asks, which a damaged file may hold up for ever: for a thread that somebody else can end, and for tests
 * with files of their own.
 */
export const readHdf5Here: OpenHdf5 = async (content, name) => {
  const opened = await openHdf5(content, name);
  const whereOf = (path: string): string => `${shown(name)}: ${shown(path)}`;
  const ask = <Answer>(path: string, question: (file: File, where: string) => Answer): Promise<Answer> =>
    opened.ask((file) => question(file, whereOf(path)), whereOf(path));
  return {
    variable: (path, attributes = []) => ask(path, (file) => factsIn(file, path, attributes)),
    planes: () => opened.ask(planesIn),
    numbers: (path, ranges) => ask(path, (file, where) => numbersIn(file, path, ranges, where)),
    labels: (path) => ask(path, (file, where) => labelsIn(file, path, where)),
    close: () => opened.close(),
  };
};
