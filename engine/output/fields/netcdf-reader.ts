/** Reads planes out of `fields.nc`, as `netcdf.ts` writes it. */
import type { Dataset, File as HdfFile } from 'h5wasm';
import { CaseError, ScenarioError } from '../../errors.ts';
import { openHdf5 } from '../../files/hdf5.ts';
import type { ByteSource, Hdf5File } from '../../files/hdf5.ts';
import type { SnapshotObservations } from '../../run/index.ts';
import { observedVariables } from '../../scenario/index.ts';
import { shown } from '../../words.ts';
import type { RunRecord } from '../run-record.ts';
import type { Storage } from '../storage.ts';
import { at, FILL, MEMBER, METHOD, NETCDF_FILE } from './netcdf-parts.ts';
import type { Range } from './netcdf-parts.ts';
import { TRUTH } from './stored-plane.ts';
import type { FieldsSource, StoredPlane } from './stored-plane.ts';

/** What HDF5 1.8 and later begins a file with, and where it says how long the file is. */
const SIGNATURE = [0x89, 0x48, 0x44, 0x46, 0x0d, 0x0a, 0x1a, 0x0a];
const FIRST_VERSION = 2;
const END_OFFSET = 28;
const BEGINNING_BYTES = 36;

function refuse(message: string): never {
  throw new ScenarioError([{ file: NETCDF_FILE, path: [], message }]);
}

/** @returns the file as parts to be fetched, or undefined where there is none */
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

/** @throws CaseError where the file has no such variable, or one of another shape */
function datasetOf(file: HdfFile, name: string, shape: readonly number[]): Dataset {
  const found = file.get(name);
  if (!found || !('slice' in found)) throw new CaseError(`${NETCDF_FILE}: there is no variable ${name}`);
  const extents = found.shape ?? [];
  if (extents.length === shape.length && extents.every((extent, i) => extent === shape[i])) return found;
  throw new CaseError(
    `${NETCDF_FILE}: ${name}: found the shape [${extents.join(', ')}], needed is [${shape.join(', ')}]`,
  );
}

/** Numbers of one kind of a variable's part. @throws CaseError where it holds something else */
function numbersIn<Of extends Float32Array | Float64Array | Int32Array>(
  dataset: Dataset,
  ranges: Range[],
  kind: { new (length: number): Of },
): Of {
  const values = dataset.slice(ranges);
  if (values instanceof kind) return values;
  throw new CaseError(`${NETCDF_FILE}: ${dataset.path}: found another type of numbers than this program writes`);
}

function wholeOf(file: HdfFile, name: string, length: number): Int32Array {
  return numbersIn(datasetOf(file, name, [length]), [[0, length]], Int32Array);
}

/** @returns the length of a variable with one dimension; 0 where there is none */
function lengthOf(file: HdfFile, name: string): number {
  const found = file.get(name);
  return found && 'slice' in found ? (found.shape?.at(0) ?? 0) : 0;
}

interface Dimensions {
  readonly cycles: readonly number[];
  /** Seconds. */
  readonly times: readonly number[];
  readonly members: readonly number[];
  /** Where the observations of each stored cycle begin, and where those of the last end. */
  readonly starts: readonly number[];
}

/** @throws CaseError where they do not ascend, or the run has not so many */
function cyclesOf(file: HdfFile, count: number, { cycles }: RunRecord): readonly number[] {
  const found = Array.from(wholeOf(file, 'cycle', count));
  const wrong = found.findIndex((cycle, index) => cycle <= (found[index - 1] ?? -1) || cycle >= cycles);
  if (wrong < 0) return found;
  throw new CaseError(
    `${NETCDF_FILE}: cycle[${wrong}]: found ${found[wrong]}, allowed are ascending numbers from 0 to ${cycles - 1}`,
  );
}

/** @throws CaseError where the file says that it is of other methods than the run: its planes would stand under wrong names */
function checkMethods(file: HdfFile, { methods }: RunRecord): void {
  const labels = datasetOf(file, METHOD, [methods.length]).value;
  const found = Array.isArray(labels) ? labels.map(String) : [];
  const wanted = methods.map(({ label }) => label);
  if (wanted.every((label, index) => label === found[index])) return;
  throw new CaseError(
    `${NETCDF_FILE}: ${METHOD}: found the methods ${shown(found.join(', '))}, run.json has ${wanted.join(', ')}: ` +
      'it is the file of another run',
  );
}

function dimensionsOf(file: HdfFile, run: RunRecord): Dimensions {
  checkMethods(file, run);
  const count = lengthOf(file, 'cycle');
  const members = lengthOf(file, MEMBER);
  const starts = [0];
  for (const each of wholeOf(file, 'observations/count', count)) starts.push((starts.at(-1) ?? 0) + each);
  return {
    cycles: cyclesOf(file, count, run),
    times: Array.from(numbersIn(datasetOf(file, 'time', [count]), [[0, count]], Float64Array)),
    members: members === 0 ? [] : Array.from(wholeOf(file, MEMBER, members)),
    starts,
  };
}

/** A part of a variable: what it is of, its extents, and which of them are asked for. */
interface Selection {
  readonly name: string;
  readonly shape: readonly number[];
  readonly ranges: Range[];
}

/** @returns where a plane lies; undefined where the file has none. @throws RangeError for another method or cycle */
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
  const isSpread = when === 'forecast-spread' || when === 'analysis-spread';
  if (isSpread && variable !== 'eta') return undefined;
  return {
    name: isSpread ? `eta_spread_${when === 'forecast-spread' ? 'forecast' : 'analysis'}` : `${variable}_${when}`,
    shape: [methods.length, cycles.length, ny, nx],
    ranges: [at(method), at(time), ...planes],
  };
}

/** @throws CaseError that says where in the file it is broken: HDF5 tells no more than what it was doing */
async function placed<Answer>(cycle: number, name: string, reading: Promise<Answer>): Promise<Answer> {
  try {
    return await reading;
  } catch (error) {
    if (!(error instanceof CaseError) || error.message.includes(name)) throw error;
    const reason = error.message.replace(`${NETCDF_FILE}: `, '');
    throw new CaseError(`${NETCDF_FILE}: ${name} of cycle ${cycle}: ${reason}`);
  }
}

function observationsIn(
  file: HdfFile,
  { scenario, methods }: RunRecord,
  { starts }: Dimensions,
  time: number,
): SnapshotObservations {
  const { dx, dy } = scenario.grid;
  const names = observedVariables(scenario);
  const total = starts.at(-1) ?? 0;
  const range: Range = [starts[time], starts[time + 1]];
  const count = range[1] - range[0];
  const whole = (name: string): Int32Array =>
    count === 0 ? new Int32Array(0) : numbersIn(datasetOf(file, `observations/${name}`, [total]), [range], Int32Array);
  const real = (name: string): Float64Array =>
    count === 0
      ? new Float64Array(0)
      : numbersIn(datasetOf(file, `observations/${name}`, [total]), [range], Float64Array);
  const byMethod = (name: string): Record<string, Float64Array> =>
    Object.fromEntries(
      methods.map(({ label }, index) => {
        const dataset = datasetOf(file, `observations/${name}`, [methods.length, total]);
        const values = count === 0 ? new Float64Array(0) : numbersIn(dataset, [at(index), range], Float64Array);
        return [label, values.map((value) => (value === FILL ? 0 : value))];
      }),
    );
  return {
    x: real('x').map((x) => x / dx),
    y: real('y').map((y) => y / dy),
    variable: Array.from(whole('variable'), (code) => names[code] ?? ''),
    network: Uint16Array.from(whole('network')),
    values: real('value').map((value) => (value === FILL ? 0 : value)),
    inverseErrorStd: real('error').map((error) => (error === FILL ? 0 : 1 / error)),
    innovations: byMethod('innovation'),
    ...(file.get('observations/departure') && { departures: byMethod('departure') }),
  };
}

/**
 * @param run whose states they are
 * @returns undefined where there is no such file
 * @throws ScenarioError, CaseError where it is another, or broken
 */
export async function openNetcdf(storage: Storage, run: RunRecord): Promise<FieldsSource | undefined> {
  const source = await sourceOf(storage);
  if (!source) return undefined;
  const file: Hdf5File = await openHdf5(source, NETCDF_FILE);
  const dimensions = await file
    .ask((open) => dimensionsOf(open, run))
    .catch((error: unknown) => {
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
      if (!selection) return undefined;
      const { name, shape, ranges } = selection;
      const reading = file.ask((open) =>
        // An earlier version of this file has no such variable.
        open.get(name) ? numbersIn(datasetOf(open, name, shape), ranges, Float32Array) : undefined,
      );
      const values = await placed(plane.cycle, name, reading);
      // A plane is filled as a whole, or not at all.
      return values?.[0] === Math.fround(FILL) ? undefined : values;
    },
    async observationsAt(cycle) {
      const time = dimensions.cycles.indexOf(cycle);
      if (time < 0) throw new RangeError(`the states of cycle ${cycle} are not stored`);
      const reading = file.ask((open) => observationsIn(open, run, dimensions, time));
      return placed(cycle, 'observations', reading);
    },
    dispose: () => file.close(),
  };
}
