/**
 * `fields.nc`: a run's states as NetCDF-4 after CF-1.11, written cycle by cycle with one cycle in memory. NetCDF-4 is HDF5 with
 * dimension scales; h5wasm writes it. Compression is deflate without the shuffle filter, which h5wasm does not offer.
 */
import type { Dataset, File as HdfFile } from 'h5wasm';
import type { Snapshot, StatePlanes } from '../../run/index.ts';
import type { FieldsGround } from './ground.ts';
import { createObservationsWriter } from './netcdf-observations.ts';
import { createSeries, describe, FILL, METHOD } from './netcdf-parts.ts';
import type { Attributes } from './netcdf-parts.ts';

const DEFLATE_LEVEL = 4;

export interface FieldsWriter {
  /** Adds one cycle; cycles come in ascending order. */
  add(snapshot: Snapshot): void;
  /** How many were added. */
  readonly count: number;
}

/** Chooses what a plane of a variable is of. */
type PlaneOf = (state: StatePlanes) => StatePlanes['eta'];

const STATE: readonly {
  readonly name: string;
  readonly longName: string;
  readonly units: string;
  readonly plane: PlaneOf;
}[] = [
  {
    name: 'eta',
    longName: 'elevation of the water surface above the water at rest',
    units: 'm',
    plane: ({ eta }) => eta,
  },
  {
    name: 'hu',
    longName: 'momentum along x per mass and area, depth times velocity',
    units: 'm2 s-1',
    plane: ({ hu }) => hu,
  },
  {
    name: 'hv',
    longName: 'momentum along y per mass and area, depth times velocity',
    units: 'm2 s-1',
    plane: ({ hv }) => hv,
  },
];

const PHASES = [
  { key: 'forecast', words: 'ensemble mean before the analysis' },
  { key: 'analysis', words: 'ensemble mean after the analysis' },
] as const;

/** Makes a variable a dimension scale: HDF5's word for a coordinate variable. */
function scaleOf(name: string, dataset: Dataset, attributes: Attributes): Dataset {
  describe(dataset, attributes);
  dataset.make_scale(name);
  return dataset;
}

/** @param file empty, made with creation order kept and in the format of HDF5 1.8 to 1.10, which NetCDF's libraries read */
export function createFieldsWriter(file: HdfFile, { record, bed }: FieldsGround): FieldsWriter {
  const { scenario, methods } = record;
  const { nx, ny, dx, dy } = scenario.grid;
  const labels = methods.map(({ label }) => label);
  describe(file, {
    Conventions: 'CF-1.11',
    title: scenario.title === '' ? scenario.name : scenario.title,
    institution: '',
    source: `Shoal ${record.versions['shoal'] ?? 'of no version'}, backend ${record.backend.name} on ${record.backend.adapter}`,
    history: `${record.start} begun, ${record.end} last written by shoal run`,
    references: 'CF Conventions, https://cfconventions.org',
    comment:
      'A twin experiment: the truth is a run of the same model, its time counts from the start of the experiment.',
    shoal_scenario: JSON.stringify(scenario),
  });

  const axis = (name: 'x' | 'y', count: number, spacing: number): void => {
    const data = Float64Array.from({ length: count }, (_, i) => i * spacing);
    const long_name = `distance of the cell's centre along ${name}`;
    scaleOf(name, file.create_dataset({ name, data }), { long_name, units: 'm', axis: name.toUpperCase() });
  };
  axis('x', nx, dx);
  axis('y', ny, dy);
  const time = scaleOf('time', createSeries(file, 'time', '<d'), {
    standard_name: 'time',
    long_name: 'time of the analysis since the start of the experiment',
    units: 'seconds since 2000-01-01 00:00:00',
    calendar: 'standard',
    axis: 'T',
  });
  scaleOf(METHOD, file.create_dataset({ name: METHOD, data: labels, dtype: 'S' }), {
    long_name: 'method of data assimilation',
  });

  const cycle = createSeries(file, 'cycle', '<i');
  describe(cycle, { long_name: 'number of the cycle, from 0' });
  cycle.attach_scale(0, '/time');

  const field = (name: string, long_name: string, units: string, isByMethod: boolean): Dataset => {
    const shape = [...(isByMethod ? [labels.length] : []), 0, ny, nx];
    const made = file.create_dataset({
      name,
      data: new Float32Array(0),
      dtype: '<f',
      shape,
      maxshape: shape.map((length, i) => (i === shape.length - 3 ? null : length)),
      chunks: shape.map((_, i) => (i < shape.length - 2 ? 1 : shape[i])),
      compression: DEFLATE_LEVEL,
    });
    describe(made, { long_name, units });
    made.create_attribute('_FillValue', Float32Array.of(FILL), [1], '<f');
    const scales = [...(isByMethod ? [METHOD] : []), 'time', 'y', 'x'];
    scales.forEach((scale, i) => made.attach_scale(i, `/${scale}`));
    return made;
  };
  const truths = STATE.map((of) => ({
    of,
    dataset: field(`truth_${of.name}`, `${of.longName}, of the truth`, of.units, false),
  }));
  const states = STATE.flatMap((of) =>
    PHASES.map(({ key, words }) => ({
      of,
      key,
      dataset: field(`${of.name}_${key}`, `${of.longName}, ${words}`, of.units, true),
    })),
  );
  const spread = field(
    'eta_spread_analysis',
    'standard deviation of the elevation over the members after the analysis',
    'm',
    true,
  );

  const bedOf = file.create_dataset({ name: 'bed', data: bed, dtype: '<f', shape: [ny, nx] });
  describe(bedOf, { long_name: 'elevation of the bed above the water at rest', units: 'm' });
  ['y', 'x'].forEach((scale, i) => bedOf.attach_scale(i, `/${scale}`));
  const observations = createObservationsWriter(file, record);

  let count = 0;
  const write = (dataset: Dataset, values: Float32Array | undefined, method?: number): void => {
    const before: [number, number][] = method === undefined ? [] : [[method, method + 1]];
    if (values) dataset.write_slice([...before, [count, count + 1], [0, ny], [0, nx]], values);
  };
  const nothing = new Float32Array(nx * ny).fill(FILL);
  return {
    get count() {
      return count;
    },
    add(snapshot) {
      for (const dataset of [time, cycle]) dataset.resize([count + 1]);
      time.write_slice([[count, count + 1]], Float64Array.of(snapshot.timeSeconds));
      cycle.write_slice([[count, count + 1]], Int32Array.of(snapshot.cycle));
      for (const { of, dataset } of truths) {
        dataset.resize([count + 1, ny, nx]);
        write(dataset, hostValues(of.plane(snapshot.truth)));
      }
      for (const { dataset } of [...states, { dataset: spread }]) dataset.resize([labels.length, count + 1, ny, nx]);
      labels.forEach((label, index) => {
        const method = snapshot.methods.find((each) => each.method === label);
        const isGone = !method || method.divergedAt !== undefined;
        for (const { of, key, dataset } of states) {
          write(dataset, isGone ? nothing : hostValues(of.plane(method[key])), index);
        }
        write(spread, isGone || !method.spread ? nothing : hostValues(method.spread), index);
      });
      observations.add(snapshot, count);
      count += 1;
    },
  };
}

/** @throws RangeError where the plane is not in memory */
function hostValues(plane: StatePlanes['eta']): Float32Array {
  if (plane.kind === 'host') return plane.values;
  throw new RangeError('found a plane on a device, allowed are planes in memory');
}
