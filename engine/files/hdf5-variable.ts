/**
 * A variable of an HDF5 or NetCDF-4 file that anybody may have made, read as planes in a unit that is asked for: the last two
 * dimensions are y and x, places along the others are chosen by their labels, which are those of their coordinate variables.
 * Sizes and types are looked at before a number is read.
 */
import type { Dataset, File } from 'h5wasm';
import { CaseError } from '../errors.ts';
import { quote, shown } from '../words.ts';
import { openHdf5 } from './hdf5.ts';

/** Chosen labels by the name of their dimension: numbers as they are written. */
export type Labels = ReadonlyMap<string, string>;

export interface PlaneRequest {
  /** Path of the variable in the file. */
  readonly variable: string;
  readonly at: Labels;
  readonly nx: number;
  readonly ny: number;
  /** Factors to the unit that the numbers are wanted in, by the units that are read; a variable that states none has it. */
  readonly units: Readonly<Record<string, number>>;
  /** A dimension that may be left without a label has this length, and its planes are read one after the other. */
  readonly several?: number | undefined;
}

export interface FoundPlanes {
  /** [ny][nx], or [several][ny][nx] */
  readonly data: Float64Array;
  readonly count: number;
}

/** HDF5's classes of types. */
const INTEGER = 0;
const FLOAT = 1;
const STRING = 3;
/** Largest chunk that is unpacked, bytes, and longest list of labels. */
const MOST_CHUNK_BYTES = 2 ** 28;
const MOST_LABELS = 2 ** 20;
/** Labels of numbers are the same when they differ by less: what is typed has fewer digits than what is computed. */
const SAME_NUMBER = 1e-9;
/** Values and names that a message lists. */
const MOST_LISTED = 8;

interface Dimension {
  readonly name: string;
  readonly length: number;
  /** Its coordinate variable; undefined where it has none. */
  readonly scale: Dataset | undefined;
}

function listed(words: readonly string[]): string {
  const some = words.slice(0, MOST_LISTED).map(shown).join(', ');
  return words.length > MOST_LISTED ? `${some}, … (${words.length} in all)` : some;
}

/** @returns an attribute that is one text or one number; undefined where there is none, or something else */
function attributeOf(dataset: Dataset, name: string): string | number | undefined {
  const found = Object.hasOwn(dataset.attrs, name) ? dataset.attrs[name] : undefined;
  const { type, total_size: length = 0 } = found?.metadata ?? {};
  if (!found || length !== 1 || (type !== INTEGER && type !== FLOAT && type !== STRING)) return undefined;
  const { value } = found;
  const single: unknown = Array.isArray(value) || ArrayBuffer.isView(value) ? (value as ArrayLike<unknown>)[0] : value;
  return typeof single === 'bigint' ? Number(single) : typeof single === 'string' ? single : Number(single);
}

function numberOf(dataset: Dataset, name: string): number | undefined {
  const found = attributeOf(dataset, name);
  return typeof found === 'number' ? found : undefined;
}

function datasetIn(file: File, name: string): Dataset | undefined {
  const found = file.get(name);
  return found && 'get_attached_scales' in found ? found : undefined;
}

/** Names of a file's variables, of which a person may have meant one. */
function variablesIn(file: File): readonly string[] {
  return file.paths().filter((path) => (datasetIn(file, path)?.shape?.length ?? 0) >= 2);
}

function dimensionsOf(file: File, dataset: Dataset): readonly Dimension[] {
  return (dataset.shape ?? []).map((length, index) => {
    const [path] = dataset.get_attached_scales(index);
    const scale = path === undefined ? undefined : datasetIn(file, path);
    return { name: path?.split('/').at(-1) ?? String(index), length, scale };
  });
}

/** @returns the labels of a dimension; its numbers from 0 where it has no coordinate variable of its length */
function labelsOf({ scale, length }: Dimension): readonly (string | number)[] {
  const { type, total_size: found } = scale?.metadata ?? {};
  if (!scale || found !== length || length > MOST_LABELS || (type !== INTEGER && type !== FLOAT && type !== STRING)) {
    return Array.from({ length }, (_, index) => index);
  }
  return Array.from(scale.value as ArrayLike<string | number | bigint>, (label) =>
    typeof label === 'bigint' ? Number(label) : label,
  );
}

/** @returns the place of a label along its dimension. @throws CaseError listing those that there are */
function placeOf(dimension: Dimension, wanted: string, where: string): number {
  const labels = labelsOf(dimension);
  const number = Number(wanted);
  const place = labels.findIndex((label) =>
    typeof label === 'number'
      ? wanted !== '' && Math.abs(label - number) <= SAME_NUMBER * Math.max(1, Math.abs(label))
      : label === wanted,
  );
  if (place >= 0) return place;
  throw new CaseError(
    `${where}: found ${quote(wanted)} for ${shown(dimension.name)}, allowed are ${listed(labels.map(String))}`,
  );
}

/** Whether a dimension is said to be the other one of the plane's. */
function isAxis({ name, scale }: Dimension, axis: 'X' | 'Y'): boolean {
  const said = scale && attributeOf(scale, 'axis');
  return typeof said === 'string' ? said.toUpperCase() === axis : name.toUpperCase() === axis;
}

/** Where planes begin along the dimensions before their own: one place for each, or all places of one. */
function placesOf(
  leading: readonly Dimension[],
  { at, several }: PlaneRequest,
  where: string,
): readonly (readonly number[])[] {
  for (const name of at.keys()) {
    if (leading.some((dimension) => dimension.name === name)) continue;
    const names = leading.map((dimension) => dimension.name);
    const allowed = names.length === 0 ? 'nothing is to be chosen' : `allowed are ${listed(names)}`;
    throw new CaseError(`${where}: found a choice of ${quote(name)}, ${allowed}`);
  }
  let isTaken = false;
  return leading.map((dimension) => {
    const { name, length } = dimension;
    const wanted = at.get(name);
    if (wanted !== undefined) return [placeOf(dimension, wanted, where)];
    if (length === 1) return [0];
    if (length === several && !isTaken) {
      isTaken = true;
      return Array.from({ length }, (_, index) => index);
    }
    const labels = listed(labelsOf(dimension).map(String));
    throw new CaseError(`${where}: found ${length} places along ${shown(name)}, choose one of them by "at": ${labels}`);
  });
}

/** @returns what numbers are to be multiplied by. @throws CaseError for another unit */
function factorOf(dataset: Dataset, units: PlaneRequest['units'], where: string): number {
  const stated = attributeOf(dataset, 'units');
  if (stated === undefined) return 1;
  const factor = Object.hasOwn(units, stated) ? units[stated] : undefined;
  if (factor !== undefined) return factor;
  throw new CaseError(
    `${where}: found the units ${quote(String(stated))}, allowed are ${listed(Object.keys(units))}, or none stated`,
  );
}

/** @throws CaseError where the variable has another shape or type than a plane's, or one that takes too much to read */
function assertReadable(
  dataset: Dataset,
  dimensions: readonly Dimension[],
  request: PlaneRequest,
  where: string,
): void {
  const { nx, ny } = request;
  const { type, size, chunks, virtual_sources: sources } = dataset.metadata;
  const extents = dimensions.map(({ length }) => length);
  const [rows, columns] = dimensions.slice(-2);
  const names = dimensions.map(({ name }) => shown(name)).join(', ');
  if (dimensions.length < 2 || isAxis(rows, 'X') || isAxis(columns, 'Y')) {
    throw new CaseError(`${where}: found the dimensions [${names}], allowed are those whose last two are y and x`);
  }
  if (rows.length !== ny || columns.length !== nx) {
    throw new CaseError(`${where}: found the shape [${extents.join(', ')}], allowed is […, ${ny}, ${nx}]`);
  }
  if (type !== FLOAT && type !== INTEGER) {
    throw new CaseError(`${where}: found something else than numbers, allowed are real and whole numbers`);
  }
  if (sources && sources.length > 0)
    throw new CaseError(`${where}: its numbers are in other files, allowed is one file`);
  const chunkBytes = (chunks ?? []).reduce((product, length) => product * length, size);
  if (chunkBytes > MOST_CHUNK_BYTES) {
    const [found, most] = [chunkBytes, MOST_CHUNK_BYTES].map((bytes) => Math.ceil(bytes / 2 ** 20));
    throw new CaseError(`${where}: found chunks of ${found} MiB, allowed are ${most} MiB`);
  }
}

function readPlanes(file: File, fileName: string, request: PlaneRequest): FoundPlanes {
  const { variable, nx, ny, units } = request;
  const where = `${shown(fileName)}: ${shown(variable)}`;
  const dataset = datasetIn(file, variable);
  if (!dataset) {
    const names = variablesIn(file);
    const has = names.length === 0 ? 'it has none with two dimensions' : `it has ${listed(names)}`;
    throw new CaseError(`${shown(fileName)}: found no variable ${quote(variable)}, ${has}`);
  }
  const dimensions = dimensionsOf(file, dataset);
  assertReadable(dataset, dimensions, request, where);
  const places = placesOf(dimensions.slice(0, -2), request, where);
  const factor = factorOf(dataset, units, where);
  const fills = new Set(['_FillValue', 'missing_value'].map((name) => numberOf(dataset, name)));
  const [scale, offset] = [numberOf(dataset, 'scale_factor') ?? 1, numberOf(dataset, 'add_offset') ?? 0];
  const count = places.reduce((product, { length }) => product * length, 1);
  const data = new Float64Array(count * ny * nx);
  for (let index = 0; index < count; index++) {
    // At most one dimension has more than one place.
    const chosen = places.map((all) => all[all.length > 1 ? index : 0]);
    const stored = dataset.slice([...chosen.map((place): [number, number] => [place, place + 1]), [0, ny], [0, nx]]);
    const values = stored as ArrayLike<number | bigint>;
    for (let cell = 0; cell < ny * nx; cell++) {
      const value = Number(values[cell]);
      if (!Number.isFinite(value) || fills.has(value)) {
        const found = Number.isFinite(value) ? 'a missing value' : String(value);
        const place = [...chosen, Math.floor(cell / nx), cell % nx].join(', ');
        throw new CaseError(`${where}: found ${found} at [${place}], allowed are finite numbers`);
      }
      data[index * ny * nx + cell] = (value * scale + offset) * factor;
    }
  }
  return { data, count };
}

/** A file whose variables are read one by one. */
export interface VariableFile {
  has(variable: string): Promise<boolean>;
  /** @throws CaseError naming file, variable, what was found and what is allowed */
  planes(request: PlaneRequest): Promise<FoundPlanes>;
  close(): void;
}

/** @param name of the file, for messages. @throws CaseError where it is no HDF5 file */
export async function openVariables(bytes: Uint8Array, name: string): Promise<VariableFile> {
  const file = await openHdf5(bytes, name);
  return {
    has: (variable) => file.ask((open) => datasetIn(open, variable) !== undefined),
    planes: (request) => file.ask((open) => readPlanes(open, name, request)),
    close: () => file.close(),
  };
}
