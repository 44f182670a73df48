/**
 * A variable of an HDF5 or NetCDF-4 file that anybody may have made, read as planes in a unit that is asked for: the last two
 * dimensions are y and x, places along the others are chosen by their labels, which are those of their coordinate variables.
 * Sizes and types are looked at before a number is read; what the file says of itself takes no memory by saying it.
 */
import { CaseError } from '../errors.ts';
import { quote, shown } from '../words.ts';
import type { ByteSource } from './hdf5.ts';
import { verifyPlane } from './checksums.ts';
import type { Hdf5Reader, OpenHdf5, Range, VariableFacts } from './hdf5-reader.ts';

/** Chosen labels by the name of their dimension: numbers as they are written. */
export type Labels = ReadonlyMap<string, string>;

interface PlaneRequest {
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

interface FoundPlanes {
  /** [ny][nx], or [several][ny][nx] */
  readonly data: Float64Array;
  readonly count: number;
}

/** Longest list of labels that is looked through. */
const MOST_LABELS = 2 ** 20;
/** Labels of numbers are the same when they differ by less: what is typed has fewer digits than what is computed. */
const SAME_NUMBER = 1e-9;
/** Values and names that a message lists. */
const MOST_LISTED = 8;

interface Dimension {
  readonly name: string;
  readonly length: number;
  /** Path of its coordinate variable; undefined where it has none. */
  readonly path: string | undefined;
  /** The facts of that. */
  readonly scale: VariableFacts | undefined;
}

function listed(words: readonly string[], count = words.length): string {
  const some = words.slice(0, MOST_LISTED).map(shown).join(', ');
  return count > MOST_LISTED ? `${some}, … (${count} in all)` : some;
}

function numberOf({ attributes }: VariableFacts, name: string): number | undefined {
  const found = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  return typeof found === 'number' ? found : undefined;
}

async function dimensionsOf(file: Hdf5Reader, { shape, scales }: VariableFacts): Promise<readonly Dimension[]> {
  const dimensions: Dimension[] = [];
  for (const [index, length] of shape.entries()) {
    const path = scales[index];
    const scale = path === undefined ? undefined : await file.variable(path, ['axis']);
    dimensions.push({ name: path?.split('/').at(-1) ?? String(index), length, path, scale });
  }
  return dimensions;
}

/** @returns the labels of a dimension; undefined where it has no coordinate variable of its length: its places are their numbers */
async function labelsOf(
  file: Hdf5Reader,
  { scale, path, length }: Dimension,
): Promise<readonly (string | number)[] | undefined> {
  if (!scale || path === undefined) return undefined;
  const { shape, holds } = scale;
  if (shape.length !== 1 || shape[0] !== length || length > MOST_LABELS || holds === 'something else') return undefined;
  return file.labels(path);
}

/** The labels of a dimension, as far as a message has them. */
async function labelsText(file: Hdf5Reader, dimension: Dimension): Promise<string> {
  const { length } = dimension;
  const labels =
    (await labelsOf(file, dimension)) ?? Array.from({ length: Math.min(length, MOST_LISTED) }, (_, index) => index);
  return listed(labels.map(String), length);
}

/** @returns the place of a label along its dimension. @throws CaseError listing those that there are */
async function placeOf(file: Hdf5Reader, dimension: Dimension, wanted: string, where: string): Promise<number> {
  const labels = await labelsOf(file, dimension);
  const number = wanted === '' ? Number.NaN : Number(wanted);
  if (labels) {
    const place = labels.findIndex((label) =>
      typeof label === 'number'
        ? Math.abs(label - number) <= SAME_NUMBER * Math.max(1, Math.abs(label))
        : label === wanted,
    );
    if (place >= 0) return place;
  } else if (Number.isInteger(number) && number >= 0 && number < dimension.length) {
    return number;
  }
  throw new CaseError(
    `${where}: found ${quote(wanted)} for ${shown(dimension.name)}, allowed: ${await labelsText(file, dimension)}`,
  );
}

/** Whether a dimension is said to be the other one of the plane's. */
function isAxis({ name, scale }: Dimension, axis: 'X' | 'Y'): boolean {
  const said = scale?.attributes['axis'];
  return typeof said === 'string' ? said.toUpperCase() === axis : name.toUpperCase() === axis;
}

/** Where planes begin along the dimensions before their own: one place for each, or all places of one. */
async function placesOf(
  file: Hdf5Reader,
  leading: readonly Dimension[],
  { at, several }: PlaneRequest,
  where: string,
): Promise<readonly (readonly number[])[]> {
  for (const name of at.keys()) {
    if (leading.some((dimension) => dimension.name === name)) continue;
    const names = leading.map((dimension) => dimension.name);
    const allowed = names.length === 0 ? 'nothing is to be chosen' : `allowed: ${listed(names)}`;
    throw new CaseError(`${where}: found a choice of ${quote(name)}, ${allowed}`);
  }
  const places: (readonly number[])[] = [];
  let isTaken = false;
  for (const dimension of leading) {
    const { name, length } = dimension;
    const wanted = at.get(name);
    if (wanted !== undefined) {
      places.push([await placeOf(file, dimension, wanted, where)]);
    } else if (length === 1) {
      places.push([0]);
    } else if (length === several && !isTaken) {
      isTaken = true;
      places.push(Array.from({ length }, (_, index) => index));
    } else {
      const labels = await labelsText(file, dimension);
      throw new CaseError(
        `${where}: found ${length} places along ${shown(name)}, choose one of them by "at": ${labels}`,
      );
    }
  }
  return places;
}

/** @returns what numbers are to be multiplied by. @throws CaseError for another unit */
function factorOf({ attributes }: VariableFacts, units: PlaneRequest['units'], where: string): number {
  const stated = Object.hasOwn(attributes, 'units') ? attributes['units'] : undefined;
  if (stated === undefined) return 1;
  const factor = Object.hasOwn(units, stated) ? units[stated] : undefined;
  if (factor !== undefined) return factor;
  throw new CaseError(
    `${where}: found the units ${quote(String(stated))}, allowed: ${listed(Object.keys(units))}, or none stated`,
  );
}

/** @throws CaseError where the variable has another shape or type than a plane's */
function assertPlanes(
  { holds }: VariableFacts,
  dimensions: readonly Dimension[],
  { nx, ny }: PlaneRequest,
  where: string,
): void {
  const extents = dimensions.map(({ length }) => length);
  const [rows, columns] = dimensions.slice(-2);
  const names = dimensions.map(({ name }) => shown(name)).join(', ');
  if (dimensions.length < 2 || isAxis(rows, 'X') || isAxis(columns, 'Y')) {
    throw new CaseError(`${where}: found the dimensions [${names}], allowed: those whose last two are y and x`);
  }
  if (rows.length !== ny || columns.length !== nx) {
    throw new CaseError(`${where}: found the shape [${extents.join(', ')}], allowed: […, ${ny}, ${nx}]`);
  }
  if (holds !== 'real numbers' && holds !== 'whole numbers') {
    throw new CaseError(`${where}: found something else than numbers, allowed: real and whole numbers`);
  }
}

/** Those of a variable that say how its numbers are to be taken. */
const ATTRIBUTES = ['units', '_FillValue', 'missing_value', 'scale_factor', 'add_offset'] as const;

async function readPlanes(file: Hdf5Reader, fileName: string, request: PlaneRequest): Promise<FoundPlanes> {
  const { variable, nx, ny, units } = request;
  const where = `${shown(fileName)}: ${shown(variable)}`;
  const facts = await file.variable(variable, ATTRIBUTES);
  if (!facts) {
    const names = await file.planes();
    const has = names.length === 0 ? 'it has none with two dimensions' : `it has ${listed(names)}`;
    throw new CaseError(`${shown(fileName)}: found no variable ${quote(variable)}, ${has}`);
  }
  const dimensions = await dimensionsOf(file, facts);
  assertPlanes(facts, dimensions, request, where);
  const places = await placesOf(file, dimensions.slice(0, -2), request, where);
  const factor = factorOf(facts, units, where);
  const fills = new Set(['_FillValue', 'missing_value'].map((name) => numberOf(facts, name)));
  const [scale, offset] = [numberOf(facts, 'scale_factor') ?? 1, numberOf(facts, 'add_offset') ?? 0];
  const count = places.reduce((product, { length }) => product * length, 1);
  const data = new Float64Array(count * ny * nx);
  for (let index = 0; index < count; index++) {
    // At most one dimension has more than one place.
    const chosen = places.map((all) => all[all.length > 1 ? index : 0]);
    const ranges = [
      ...chosen.map((place): Range => [place, place + 1]),
      [0, ny] satisfies Range,
      [0, nx] satisfies Range,
    ];
    const stored = await file.numbers(variable, ranges);
    await verifyPlane(
      file,
      { variable, leading: facts.shape.slice(0, -2), places: ranges.slice(0, -2), where },
      stored,
    );
    const values: ArrayLike<number | bigint> = stored;
    for (let cell = 0; cell < ny * nx; cell++) {
      const value = Number(values[cell]);
      if (!Number.isFinite(value) || fills.has(value)) {
        const found = Number.isFinite(value) ? 'a missing value' : String(value);
        const place = [...chosen, Math.floor(cell / nx), cell % nx].join(', ');
        throw new CaseError(`${where}: found ${found} at [${place}], allowed: finite numbers`);
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
export async function openVariables(
  openHdf5: OpenHdf5,
  content: Uint8Array | ByteSource,
  name: string,
): Promise<VariableFile> {
  const file = await openHdf5(content, name);
  return {
    has: async (variable) => (await file.variable(variable)) !== undefined,
    planes: (request) => readPlanes(file, name, request),
    close: () => file.close(),
  };
}
