/** Beds and states from NetCDF-4 and HDF5 files that anybody may have made: what is read of them, and what is refused in which words. */
import { File, ready } from 'h5wasm';
import type { Dataset } from 'h5wasm';
import { describe, expect, test } from 'vitest';
import { ScenarioError, describeProblem } from '../../../engine/errors.ts';
import { readHdf5Here } from '../../../engine/files/hdf5-reader.ts';
import { createStateDraw } from '../../../engine/experiment/index.ts';
import { readScenarioFiles, scenarioBed } from '../../../engine/scenario/index.ts';
import type { Scenario, ScenarioInput } from '../../../engine/scenario/index.ts';
import { parsed } from './problems-of.ts';

const [nx, ny, members] = [16, 12, 3];
const cells = nx * ny;
const TIMES = [0.5, 1, 1.5];
const LABELS = ['free-run', 'größe, klein'];

/** Float32 as a run stores it: a surface about rest, and momenta. */
const planes = (count: number, seed: number): Float32Array =>
  Float32Array.from({ length: count * cells }, (_, i) => 0.1 * Math.sin(seed + i));

interface Written {
  readonly name: string;
  readonly data: Float32Array;
  readonly shape: readonly number[];
  readonly dimensions: readonly string[];
  readonly attributes?: Readonly<Record<string, string | Float32Array>>;
}

function put(file: File, { name, data, shape, dimensions, attributes = {} }: Written): void {
  const made: Dataset = file.create_dataset({ name, data, shape: [...shape], chunks: [...shape], compression: 4 });
  for (const [key, value] of Object.entries(attributes)) {
    made.create_attribute(key, value, typeof value === 'string' ? undefined : [1]);
  }
  dimensions.forEach((scale, index) => made.attach_scale(index, `/${scale}`));
}

/** Dimensions and variables as `fields.nc` has them, and others. */
async function written(more: readonly Written[] = []): Promise<Uint8Array> {
  const { FS } = await ready;
  const file = new File('/import.nc', 'w', { track_order: true, libver: ['v108', 'v110'] });
  const scales = {
    x: Float64Array.from({ length: nx }, (_, i) => i),
    y: Float64Array.from({ length: ny }, (_, i) => i),
  };
  for (const [name, data] of Object.entries({
    ...scales,
    time: Float64Array.from(TIMES),
    member: Int32Array.of(0, 1, 2),
  })) {
    file.create_dataset({ name, data }).make_scale(name);
  }
  file.create_dataset({ name: 'assimilation', data: LABELS, dtype: 'S' }).make_scale('assimilation');
  const byTime = { shape: [TIMES.length, ny, nx], dimensions: ['time', 'y', 'x'] };
  const units = { units: 'm' };
  ['eta', 'hu', 'hv'].forEach((name, seed) => {
    const data = planes(TIMES.length, seed);
    put(file, { name: `truth_${name}`, data, ...byTime, attributes: name === 'eta' ? units : { units: 'm2 s-1' } });
  });
  const byMethod = { shape: [2, ...byTime.shape], dimensions: ['assimilation', ...byTime.dimensions] };
  put(file, { name: 'eta_analysis', data: planes(2 * TIMES.length, 4), ...byMethod, attributes: units });
  const byMember = { shape: [members, ny, nx], dimensions: ['member', 'y', 'x'] };
  put(file, { name: 'ensemble', data: planes(members, 5), ...byMember, attributes: units });
  const bed = { shape: [ny, nx], dimensions: ['y', 'x'] };
  put(file, { name: 'bed', data: planes(1, 6).map((value) => value - 2), ...bed, attributes: units });
  put(file, {
    name: 'bed_cm',
    data: planes(1, 6).map((value) => 100 * (value - 2)),
    ...bed,
    attributes: { units: 'cm' },
  });
  for (const each of more) put(file, each);
  file.close();
  return FS.readFile('/import.nc');
}

async function read(changes: Partial<ScenarioInput>, bytes: Uint8Array) {
  const scenario: Scenario = parsed(changes);
  const files = await readScenarioFiles(scenario, () => Promise.resolve(bytes), 'case.json', readHdf5Here);
  return { scenario, files };
}

async function problems(changes: Partial<ScenarioInput>, bytes: Uint8Array): Promise<readonly string[]> {
  try {
    await read(changes, bytes);
    return [];
  } catch (error) {
    if (error instanceof ScenarioError) return error.problems.map(describeProblem);
    throw error;
  }
}

const truthFrom = (settings: object): Partial<ScenarioInput> => ({
  truth: { initial: { kind: 'netcdf', file: 'run.nc', variable: 'truth_eta', at: 'time=1', ...settings } },
});
const bedFrom = (variable: string, at = ''): Partial<ScenarioInput> => ({
  model: { scheme: 'central-upwind', bathymetry: { kind: 'netcdf', file: 'run.nc', variable, at } },
});

describe('a variable of a NetCDF-4 file', () => {
  test('is where a truth begins, with its momenta, at a time', async () => {
    const { scenario, files } = await read(truthFrom({}), await written());
    const draw = createStateDraw(scenario, files);
    const { state } = await draw.draw('truth');
    const [eta, hu, hv] = [0, 1, 2].map((seed) => planes(TIMES.length, seed).subarray(cells, 2 * cells));
    // A depth in float64 over the bed: the surface that a run stored comes back to the last bit of float32.
    expect(Array.from(state.subarray(0, cells), Math.fround)).toEqual(Array.from(eta));
    expect(Array.from(state.subarray(cells))).toEqual([...hu, ...hv]);
  });

  test('is a background, of one state or of a state for each member', async () => {
    const bytes = await written();
    const background = (settings: object): Partial<ScenarioInput> =>
      ({
        background: { initial: { kind: 'netcdf', file: 'run.nc', ...settings }, members },
      }) as Partial<ScenarioInput>;
    const several = await read(background({ variable: 'ensemble' }), bytes);
    const draw = createStateDraw(several.scenario, several.files);
    const stored = planes(members, 5);
    for (const member of [0, 2]) {
      const { state } = await draw.draw(member);
      const surface = Array.from(state.subarray(0, cells), Math.fround);
      expect(surface).toEqual(Array.from(stored.subarray(member * cells, (member + 1) * cells)));
      // No momenta are called like it.
      expect(state.subarray(cells).every((value) => value === 0)).toBe(true);
    }
    const at = 'time = 1.5, assimilation = free-run';
    expect(await problems(background({ variable: 'eta_analysis', at }), bytes)).toEqual([]);
    expect(await problems(background({ variable: 'ensemble', at: 'member=1' }), bytes)).toEqual([]);
  });

  test('is a bed, in the unit that it states', async () => {
    const bytes = await written();
    const [metres, centimetres] = await Promise.all([read(bedFrom('bed'), bytes), read(bedFrom('bed_cm'), bytes)]);
    const [first, second] = [metres, centimetres].map(({ scenario, files }) => scenarioBed(scenario, files));
    expect(first).toEqual(Float64Array.from(planes(1, 6), (value: number) => Math.fround(value - 2)));
    // A product in float32, and 0.01 in float64.
    second.forEach((value, cell) => expect(Math.abs(value - first[cell])).toBeLessThan(3 * 2 ** -23));
  });
});

describe('a variable that cannot be read', () => {
  const square = { shape: [ny, nx], dimensions: ['y', 'x'] };
  test.each<[string, Partial<ScenarioInput>, RegExp]>([
    [
      'that is not there',
      bedFrom('depth'),
      /bathymetry\.file: run\.nc: found no variable "depth", it has bed, bed_cm, .*, … \(\d+ in all\)/,
    ],
    [
      'of another shape',
      bedFrom('time'),
      /run\.nc: time: found the dimensions \[0\], allowed: those whose last two are y and x/,
    ],
    ['whose dimensions are turned round', bedFrom('turned'), /turned: found the dimensions \[x, y\], allowed: those/],
    ['of another grid', bedFrom('small'), /small: found the shape \[2, 16\], allowed: \[…, 12, 16\]/],
    ['in another unit', bedFrom('feet'), /feet: found the units "feet", allowed: m, metre, .*, or none stated/],
    [
      'with a value that is missing',
      bedFrom('holes'),
      /holes: found a missing value at \[1, 2\], allowed: finite numbers/,
    ],
    ['with what is no number', bedFrom('broken'), /broken: found NaN at \[0, 3\], allowed: finite numbers/],
    [
      'with times of which none is chosen',
      truthFrom({ at: '' }),
      /truth_eta: found 3 places along time, choose one of them by "at": 0\.5, 1, 1\.5/,
    ],
    [
      'at a time that there is not',
      truthFrom({ at: 'time=2' }),
      /truth_eta: found "2" for time, allowed: 0\.5, 1, 1\.5/,
    ],
    ['along what it does not have', truthFrom({ at: 'time=1, level=2' }), /found a choice of "level", allowed: time/],
    ['at what is no place', truthFrom({ at: 'time' }), /run\.nc: found "time" in "at", allowed: dimension=label/],
    [
      'that leaves no water',
      truthFrom({ variable: 'low', at: '' }),
      /low: found a depth of -2 m at \[y, x\] = \[0, 0\], allowed: at least 0/,
    ],
  ])('%s is refused with file, variable, found and allowed', async (_, changes, message) => {
    const flat = new Float32Array(cells).fill(-3);
    const fill = Float32Array.of(9e9);
    const bytes = await written([
      { name: 'turned', data: flat, shape: [nx, ny], dimensions: ['x', 'y'] },
      { name: 'small', data: flat.slice(0, 2 * nx), shape: [2, nx], dimensions: [] },
      { name: 'feet', data: flat, ...square, attributes: { units: 'feet' } },
      { name: 'holes', data: flat.with(nx + 2, fill[0]), ...square, attributes: { _FillValue: fill } },
      { name: 'broken', data: flat.with(3, Number.NaN), ...square },
      { name: 'low', data: flat, ...square },
    ]);
    expect((await problems(changes, bytes)).join('\n')).toMatch(message);
  });

  test('is rejected with a file that is something else, cut off, or another than its name says', async () => {
    const bytes = await written();
    const [other, cut] = await Promise.all([
      problems(bedFrom('bed'), new TextEncoder().encode('CDF and no more')),
      problems(bedFrom('bed'), bytes.subarray(0, bytes.length >> 1)),
    ]);
    expect(other.join()).toMatch(/^case\.json: model\.bathymetry\.file: run\.nc: cannot be read: /);
    expect(cut.join()).toMatch(/^case\.json: model\.bathymetry\.file: run\.nc: cannot be read: /);
    const named = { model: { bathymetry: { kind: 'netcdf', file: '../run.nc', variable: 'bed' } } } as const;
    expect(() => parsed(named)).toThrow(/a file in the scenario's folder or below it/);
  });
});
