/**
 * `fields.nc`: a run's states as NetCDF-4 after CF-1.11, written cycle by cycle with one cycle in memory. NetCDF-4 is HDF5 with
 * dimension scales; h5wasm writes it. Compression is deflate without the shuffle filter, which h5wasm does not offer.
 */
import type { Dataset, File as HdfFile, Group } from 'h5wasm';
import type { Snapshot, StatePlanes } from '../../run/states.ts';
import { unitOf } from '../../scenario/index.ts';
import type { RunRecord } from '../run-record.ts';
import type { FieldsGround } from './ground.ts';

/** NetCDF's own fill value of floats and doubles: nothing is known there. */
const FILL = 9.969_209_968_386_869e36;
const DEFLATE_LEVEL = 4;
/** Numbers of a chunk of what has one number a cycle, or an observation. */
const SERIES_CHUNK = 1024;

export interface FieldsWriter {
  /** Adds one cycle; cycles come in ascending order. */
  add(snapshot: Snapshot): void;
  /** How many were added. */
  readonly count: number;
}

type Attributes = Readonly<Record<string, string>>;

function describe(of: Dataset | Group | HdfFile, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) of.create_attribute(name, value);
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

  const scaleOf = (name: string, dataset: Dataset, attributes: Attributes): Dataset => {
    describe(dataset, attributes);
    dataset.make_scale(name);
    return dataset;
  };
  const axis = (name: 'x' | 'y', count: number, spacing: number): void => {
    const data = Float64Array.from({ length: count }, (_, i) => i * spacing);
    const long_name = `distance of the cell's centre along ${name}`;
    scaleOf(name, file.create_dataset({ name, data }), { long_name, units: 'm', axis: name.toUpperCase() });
  };
  axis('x', nx, dx);
  axis('y', ny, dy);
  /** One number a cycle, or an observation; grows. */
  const series = (group: Group, name: string, dtype: string): Dataset =>
    group.create_dataset({ name, data: [], dtype, shape: [0], maxshape: [null], chunks: [SERIES_CHUNK] });
  const time = scaleOf('time', series(file, 'time', '<d'), {
    standard_name: 'time',
    long_name: 'time of the analysis since the start of the experiment',
    units: 'seconds since 2000-01-01 00:00:00',
    calendar: 'standard',
    axis: 'T',
  });
  scaleOf('method', file.create_dataset({ name: 'method', data: labels, dtype: 'S' }), {
    long_name: 'method of data assimilation',
  });

  const cycle = series(file, 'cycle', '<i');
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
    const scales = [...(isByMethod ? ['method'] : []), 'time', 'y', 'x'];
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
  const observations = createObservations(file, record, series);

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

const MISSING = 0;
const USED = 1;
const NOT_USED = 2;

/** The observations of all cycles one behind another, with how many each cycle has: a contiguous ragged array. */
function createObservations(
  file: HdfFile,
  { scenario, methods }: RunRecord,
  series: (group: Group, name: string, dtype: string) => Dataset,
) {
  const { dx, dy } = scenario.grid;
  const networks = scenario.observations;
  const variables = [...new Set(networks.map(({ variable }) => variable))];
  const group = file.create_group('observations', true);
  const counts = series(group, 'count', '<i');
  describe(counts, { long_name: 'observations of the cycle', sample_dimension: 'observation' });
  counts.attach_scale(0, '/time');

  const scale = series(group, 'observation', '<i');
  describe(scale, { long_name: 'number of the observation in the run, from 0' });
  scale.make_scale('observation');
  const column = (name: string, dtype: string, attributes: Attributes): Dataset => {
    const made = series(group, name, dtype);
    describe(made, attributes);
    made.attach_scale(0, '/observations/observation');
    return made;
  };
  const flags = (words: readonly string[]): Attributes => ({
    flag_meanings: words.map((word) => word.replaceAll(/[^\w.+@-]+/g, '_')).join(' '),
  });
  const flagged = (name: string, long_name: string, words: readonly string[]): Dataset => {
    const made = column(name, '<i', { long_name, ...flags(words) });
    made.create_attribute('flag_values', Int32Array.from(words.keys()), [words.length], '<i');
    return made;
  };
  const units = [...new Set(variables.map((variable) => unitOf(variable)))];
  const unit: Attributes = units.length === 1 ? { units: units[0] } : { comment: 'in the unit of the variable' };
  const columns = {
    x: column('x', '<d', { long_name: 'place along x', units: 'm' }),
    y: column('y', '<d', { long_name: 'place along y', units: 'm' }),
    variable: flagged(
      'variable',
      `what is observed, in ${variables.map((name) => `${name}: ${unitOf(name)}`).join(', ')}`,
      variables,
    ),
    network: flagged(
      'network',
      'observing network of the scenario',
      networks.map(({ name }) => name),
    ),
    value: column('value', '<d', { long_name: 'what was observed', ...unit }),
    error: column('error', '<d', { long_name: 'standard deviation of the observation error', ...unit }),
  };
  for (const numbers of [columns.value, columns.error]) {
    numbers.create_attribute('_FillValue', Float64Array.of(FILL), [1], '<d');
  }
  const byMethod = (name: string, dtype: string, attributes: Attributes): Dataset => {
    const made = group.create_dataset({
      name,
      data: [],
      dtype,
      shape: [methods.length, 0],
      maxshape: [methods.length, null],
      chunks: [1, SERIES_CHUNK],
    });
    describe(made, attributes);
    ['/method', '/observations/observation'].forEach((path, i) => made.attach_scale(i, path));
    return made;
  };
  const innovation = byMethod('innovation', '<d', {
    long_name: 'observation minus its value in the mean of the forecast',
    ...unit,
  });
  innovation.create_attribute('_FillValue', Float64Array.of(FILL), [1], '<d');
  const quality = byMethod('quality', '<i', {
    long_name:
      'whether the method used the observation: not where it was missing, or where its innovation was too large',
    ...flags(['missing', 'used', 'not_used']),
  });
  quality.create_attribute('flag_values', Int32Array.of(MISSING, USED, NOT_USED), [3], '<i');

  let total = 0;
  return {
    add({ observations: found, methods: snapshots }: Snapshot, index: number) {
      const count = found.values.length;
      counts.resize([index + 1]);
      counts.write_slice([[index, index + 1]], Int32Array.of(count));
      if (count === 0) return;
      const end = total + count;
      const put = (dataset: Dataset, values: Float64Array | Int32Array): void => {
        dataset.resize([end]);
        dataset.write_slice([[total, end]], values);
      };
      const { x, y, values, variable, network, inverseErrorStd, innovations } = found;
      const isThere = (i: number): boolean => inverseErrorStd[i] > 0;
      put(
        scale,
        Int32Array.from({ length: count }, (_, i) => total + i),
      );
      put(
        columns.x,
        Float64Array.from(x, (place) => place * dx),
      );
      put(
        columns.y,
        Float64Array.from(y, (place) => place * dy),
      );
      put(
        columns.variable,
        Int32Array.from(variable, (name) => variables.findIndex((each) => each === name)),
      );
      put(columns.network, Int32Array.from(network));
      put(
        columns.value,
        values.map((value, i) => (isThere(i) ? value : FILL)),
      );
      put(
        columns.error,
        inverseErrorStd.map((inverse) => (inverse > 0 ? 1 / inverse : FILL)),
      );
      for (const dataset of [innovation, quality]) dataset.resize([methods.length, end]);
      methods.forEach(({ label }, position) => {
        const snapshot = snapshots.find(({ method }) => method === label);
        const own = snapshot?.divergedAt === undefined ? innovations[label] : undefined;
        const isUsed = (i: number): boolean => isThere(i) && own !== undefined && own[i] !== 0;
        const place: [number, number][] = [
          [position, position + 1],
          [total, end],
        ];
        innovation.write_slice(
          place,
          Float64Array.from({ length: count }, (_, i) => (isUsed(i) ? (own?.[i] ?? FILL) : FILL)),
        );
        quality.write_slice(
          place,
          Int32Array.from({ length: count }, (_, i) => (isUsed(i) ? USED : isThere(i) ? NOT_USED : MISSING)),
        );
      });
      total = end;
    },
  };
}
