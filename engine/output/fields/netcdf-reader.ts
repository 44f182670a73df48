/** Reads planes out of `fields.nc`, as `netcdf.ts` writes it. */
import { CaseError, ScenarioError } from '../../errors.ts';
import type { ByteSource } from '../../files/hdf5.ts';
import type { Hdf5Reader, OpenHdf5, Range, StoredNumbers } from '../../files/hdf5-reader.ts';
import { verifyPlane, readSeries } from '../../files/checksums.ts';
import type { SnapshotObservations } from '../../run/index.ts';
import { observedVariables, recordedImpact } from '../../scenario/index.ts';
import { shown } from '../../words.ts';
import type { RunRecord } from '../run-record.ts';
import type { Storage } from '../stored-files.ts';
import { at, FILL, MEMBER, METHOD, NETCDF_FILE } from './netcdf-parts.ts';
import { TRUTH, type FieldsSource, type StoredPlane } from './stored-plane.ts';

/** What HDF5 1.8 and later begins a file with, and where it says how long the file is. */
const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const FIRST_VERSION = 2;
const END_OFFSET = 28;
const BEGINNING_BYTES = 36;

function refuse(message: string): never {
  throw new ScenarioError([{ file: NETCDF_FILE, path: [], message }]);
}

/** @returns the file as parts to be fetched, or undefined if there is none */
async function sourceOf(storage: Storage): Promise<ByteSource | undefined> {
  const beginning = await storage.read(NETCDF_FILE, { from: 0, bytes: BEGINNING_BYTES });
  if (!beginning) return undefined;
  const isHdf5 = beginning.length === BEGINNING_BYTES && SIGNATURE.every((byte, i) => beginning[i] === byte);
  if (!isHdf5 || beginning[SIGNATURE.length] < FIRST_VERSION) return refuse('not a NetCDF-4 file of this program');
  const length = Number(new DataView(beginning.buffer, beginning.byteOffset).getBigUint64(END_OFFSET, true));
  const read = async (from: number, bytes: number): Promise<Uint8Array> => {
    const part = await storage.read(NETCDF_FILE, { from, bytes });
    return part?.length === bytes ? part : refuse(`the file is cut off: it says that it has ${length} bytes`);
  };
  if (!Number.isSafeInteger(length)) return refuse('the file states a length that cannot be');
  await read(length - 1, 1);
  return { length, read };
}

/** @throws CaseError if there is no such variable, or it has another shape */
async function checkShape(file: Hdf5Reader, { name, shape }: Pick<Selection, 'name' | 'shape'>): Promise<void> {
  const found = await file.variable(name);
  if (!found) throw new CaseError(`${NETCDF_FILE}: there is no variable ${name}`);
  const extents = found.shape;
  if (extents.length === shape.length && extents.every((extent, i) => extent === shape[i])) return;
  throw new CaseError(
    `${NETCDF_FILE}: ${name}: found the shape [${extents.join(', ')}], needed: [${shape.join(', ')}]`,
  );
}

/** Numbers of one kind of a variable's part. @throws CaseError where it has another shape, or holds something else */
async function numbersIn<Of extends StoredNumbers>(
  file: Hdf5Reader,
  { name, shape, ranges }: Selection,
  kind: { new (length: number): Of },
): Promise<Of> {
  await checkShape(file, { name, shape });
  const values = await file.numbers(name, ranges);
  if (values instanceof kind) return values;
  throw new CaseError(`${NETCDF_FILE}: ${name}: found another type of numbers than this program writes`);
}

/** The same of a part along the last dimension, whose checksums are looked at. */
function seriesIn<Of extends StoredNumbers>(
  file: Hdf5Reader,
  selection: Selection,
  kind: { new (length: number): Of },
): Promise<Of> {
  const { name, ranges } = selection;
  return readSeries(file, { ...selection, variable: name, where: `${NETCDF_FILE}: ${name}` }, (range) =>
    numbersIn(file, { ...selection, ranges: [...ranges.slice(0, -1), range] }, kind),
  );
}

/** @returns the length of a variable with one dimension; 0 if there is none. @throws CaseError for a length that cannot be */
async function lengthOf(file: Hdf5Reader, name: string, most: number): Promise<number> {
  const found = (await file.variable(name))?.shape.at(0) ?? 0;
  if (found <= most) return found;
  throw new CaseError(`${NETCDF_FILE}: ${name}: found ${found} numbers, allowed: ${most}`);
}

interface Dimensions {
  readonly cycles: readonly number[];
  /** Seconds. */
  readonly times: readonly number[];
  readonly members: readonly number[];
  /** Where the observations of each stored cycle begin, and where those of the last end. */
  readonly starts: readonly number[];
}

/** Reads a variable with one dimension of a length that is known. */
async function wholeOf<Of extends StoredNumbers>(
  file: Hdf5Reader,
  name: string,
  length: number,
  kind: { new (length: number): Of },
): Promise<Of> {
  return length === 0 ? new kind(0) : seriesIn(file, { name, shape: [length], ranges: [[0, length]] }, kind);
}

/** @throws CaseError where they do not ascend, or the run has not so many */
async function cyclesOf(file: Hdf5Reader, count: number, { cycles }: RunRecord): Promise<readonly number[]> {
  const found = Array.from(await wholeOf(file, 'cycle', count, Int32Array));
  const wrong = found.findIndex((cycle, index) => cycle <= (found[index - 1] ?? -1) || cycle >= cycles);
  if (wrong < 0) return found;
  throw new CaseError(
    `${NETCDF_FILE}: cycle[${wrong}]: found ${found[wrong]}, allowed: ascending numbers from 0 to ${cycles - 1}`,
  );
}

/** @throws CaseError where the file says that it is of other methods than the run: its planes would get wrong names */
async function checkMethods(file: Hdf5Reader, { methods }: RunRecord): Promise<void> {
  await checkShape(file, { name: METHOD, shape: [methods.length] });
  const found = (await file.labels(METHOD)).map(String);
  const wanted = methods.map(({ label }) => label);
  if (wanted.every((label, index) => label === found[index])) return;
  throw new CaseError(
    `${NETCDF_FILE}: ${METHOD}: found the methods ${shown(found.join(', '))}, run.json has ${wanted.join(', ')}: ` +
      'it is the file of another run',
  );
}

async function dimensionsOf(file: Hdf5Reader, run: RunRecord): Promise<Dimensions> {
  await checkMethods(file, run);
  const count = await lengthOf(file, 'cycle', run.cycles);
  const members = await lengthOf(file, MEMBER, run.scenario.background.members);
  const starts = [0];
  for (const each of await wholeOf(file, 'observations/count', count, Int32Array)) {
    if (each < 0) throw new CaseError(`${NETCDF_FILE}: observations/count: found ${each}, allowed: 0 or more`);
    starts.push((starts.at(-1) ?? 0) + each);
  }
  return {
    cycles: await cyclesOf(file, count, run),
    times: Array.from(await wholeOf(file, 'time', count, Float64Array)),
    members: Array.from(await wholeOf(file, MEMBER, members, Int32Array)),
    starts,
  };
}

/** A part of a variable: what it is of, its extents, and which of them are asked for. */
interface Selection {
  readonly name: string;
  readonly shape: readonly number[];
  readonly ranges: readonly Range[];
}

/** Variables that are kept with η alone. */
const BESIDE_ETA = {
  'forecast-spread': 'eta_spread_forecast',
  'analysis-spread': 'eta_spread_analysis',
  inflation: 'inflation',
} as const;

/** @returns where a plane is; undefined if the file has none. @throws RangeError for another method or cycle */
function selectionOf(
  plane: StoredPlane,
  { scenario, methods }: RunRecord,
  dimensions: Dimensions,
): Selection | undefined {
  const { cycle, of, variable, when = 'analysis', member } = plane;
  const { nx, ny } = scenario.grid;
  const { cycles, members } = dimensions;
  const time = cycles.indexOf(cycle);
  if (time < 0) throw new RangeError(`the states of cycle ${cycle} are not stored`);
  const planes: Range[] = [
    [0, ny],
    [0, nx],
  ];
  const method = methods.findIndex(({ label }) => label === of);
  if (method < 0) {
    if (of !== TRUTH) throw new RangeError(`the run has no method ${of}`);
    return { name: `truth_${variable}`, shape: [cycles.length, ny, nx], ranges: [at(time), ...planes] };
  }
  if (member !== undefined) {
    const index = members.indexOf(member);
    if (index < 0) return undefined;
    return {
      name: `${variable}_members`,
      shape: [methods.length, cycles.length, members.length, ny, nx],
      ranges: [at(method), at(time), at(index), ...planes],
    };
  }
  const isOfState = when === 'forecast' || when === 'analysis';
  if (!isOfState && variable !== 'eta') return undefined;
  return {
    name: isOfState ? `${variable}_${when}` : BESIDE_ETA[when],
    shape: [methods.length, cycles.length, ny, nx],
    ranges: [at(method), at(time), ...planes],
  };
}

async function observationsIn(
  file: Hdf5Reader,
  { scenario, methods }: RunRecord,
  { starts, cycles }: Dimensions,
  time: number,
): Promise<SnapshotObservations> {
  const { dx, dy } = scenario.grid;
  const { window } = scenario.experiment;
  const names = observedVariables(scenario);
  const total = starts.at(-1) ?? 0;
  const range: Range = [starts[time], starts[time + 1]];
  const count = range[1] - range[0];
  const column = async <Of extends StoredNumbers>(name: string, kind: { new (length: number): Of }): Promise<Of> =>
    count === 0 ? new kind(0) : seriesIn(file, { name: `observations/${name}`, shape: [total], ranges: [range] }, kind);
  const whole = (name: string): Promise<Int32Array> => column(name, Int32Array);
  const real = (name: string): Promise<Float64Array> => column(name, Float64Array);
  const byMethod = async (name: string): Promise<Record<string, Float64Array>> => {
    const found: Record<string, Float64Array> = {};
    for (const [index, { label }] of methods.entries()) {
      const ranges = [at(index), range];
      const values =
        count === 0
          ? new Float64Array(0)
          : await seriesIn(
              file,
              { name: `observations/${name}`, shape: [methods.length, total], ranges },
              Float64Array,
            );
      found[label] = values.map((value) => (value === FILL ? 0 : value));
    }
    return found;
  };
  const [analysisTime] = await numbersIn(
    file,
    { name: 'time', shape: [cycles.length], ranges: [at(time)] },
    Float64Array,
  );
  // An earlier version of this file has no such variables.
  const times = (await file.variable('observations/time')) ? await real('time') : undefined;
  const hasDepartures = (await file.variable('observations/departure')) !== undefined;
  return {
    x: (await real('x')).map((x) => x / dx),
    y: (await real('y')).map((y) => y / dy),
    variable: Array.from(await whole('variable'), (code) => names[code] ?? ''),
    network: Uint16Array.from(await whole('network')),
    values: (await real('value')).map((value) => (value === FILL ? 0 : value)),
    inverseErrorStd: (await real('error')).map((error) => (error === FILL ? 0 : 1 / error)),
    ...(times && !times.includes(FILL) && { share: times.map((seen) => 1 - (analysisTime - seen) / window) }),
    innovations: await byMethod('innovation'),
    ...(hasDepartures && { departures: await byMethod('departure') }),
    ...(recordedImpact(scenario.experiment) && { impacts: await byMethod('impact') }),
  };
}

/**
 * @param run whose states they are
 * @returns undefined if there is no such file
 * @throws ScenarioError, CaseError where it is another, or broken
 */
export async function openNetcdf(
  storage: Storage,
  run: RunRecord,
  openHdf5: OpenHdf5,
): Promise<FieldsSource | undefined> {
  const source = await sourceOf(storage);
  if (!source) return undefined;
  const file = await openHdf5(source, NETCDF_FILE);
  const dimensions = await dimensionsOf(file, run).catch((error: unknown) => {
    file.close();
    throw error;
  });
  return {
    cycles: dimensions.cycles,
    timesSeconds: dimensions.times,
    members: dimensions.members,
    methods: run.methods.map(({ label }) => label),
    async readPlane(plane) {
      const selection = selectionOf(plane, run, dimensions);
      // An earlier version of this file has no such variable.
      if (!selection || !(await file.variable(selection.name))) return undefined;
      const { name, shape, ranges } = selection;
      const values = await numbersIn(file, selection, Float32Array);
      const where = `${NETCDF_FILE}: ${name} of cycle ${plane.cycle}`;
      await verifyPlane(
        file,
        { variable: name, leading: shape.slice(0, -2), places: ranges.slice(0, -2), where },
        values,
      );
      // A plane is filled as a whole, or not at all.
      return values[0] === Math.fround(FILL) ? undefined : values;
    },
    async observationsAt(cycle) {
      const time = dimensions.cycles.indexOf(cycle);
      if (time < 0) throw new RangeError(`the states of cycle ${cycle} are not stored`);
      return observationsIn(file, run, dimensions, time);
    },
    dispose: () => file.close(),
  };
}
