/**
 * `fields.nc`: a run's states as NetCDF-4 after CF-1.11, written cycle by cycle with one cycle in memory. NetCDF-4 is HDF5 with
 * dimension scales; h5wasm writes it. Compression is deflate without the shuffle filter, which h5wasm does not offer.
 */
import type { File as HdfFile } from 'h5wasm';
import type { CycleDiagnostics } from '../../experiment/index.ts';
import { localSums, type LocalSums } from '../../methods/index.ts';
import { usedIn, type MethodSnapshot, type Plane, type Snapshot, type StatePlanes } from '../../run/index.ts';
import { inflates, localVolumesOf, scenarioAt } from '../../scenario/index.ts';
import type { FieldsGround } from '../run-record.ts';
import {
  createChecksums,
  at,
  createSeries,
  createWhole,
  DEFLATE_LEVEL,
  describe,
  FILL,
  fillWith,
  MEMBER,
  METHOD,
  scaleOf,
  TIME_UNITS,
} from './netcdf-parts.ts';
import type { Dimension, Range } from './netcdf-parts.ts';
import { createDiagnosticsWriter } from './netcdf-diagnostics.ts';
import { createObservationsWriter } from './netcdf-observations.ts';
import { hostValues } from './snapshot-record.ts';

export interface FieldsWriter {
  /** Adds one cycle; cycles come in ascending order. */
  add(snapshot: Snapshot): void;
  /** How many were added. */
  readonly count: number;
  /** Adds what was measured of a method in a cycle; cycles come in ascending order. */
  addDiagnostics(row: CycleDiagnostics): void;
  /** Writes what is left, before the file is closed. */
  finish(): void;
}

/** Chooses what a plane of a variable is of. */
type PlaneOf = (state: StatePlanes) => Plane;

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
  { key: 'forecast', words: 'before the analysis' },
  { key: 'analysis', words: 'after the analysis' },
] as const;

const forecastSpreadOf = ({ forecastSpread }: MethodSnapshot): Plane | undefined => forecastSpread;
const analysisSpreadOf = ({ spread }: MethodSnapshot): Plane | undefined => spread;

const LOCAL_SUMS = [
  {
    name: 'local_observations',
    longName: 'number of observations that the analysis of the cell sees',
    of: ({ observations }: LocalSums) => observations,
  },
  {
    name: 'local_weight',
    longName: 'sum of the localisation weights of the observations that the analysis of the cell sees',
    of: ({ weight }: LocalSums) => weight,
  },
] as const;

/** A variable of planes, one a cycle and whatever else it has dimensions of. */
interface GrowingField {
  grow(cycles: number): void;
  /** @param places along the dimensions before the plane's own */
  write(places: readonly number[], values: Float32Array): void;
  /** Writes what is known of all planes of a cycle. */
  complete(cycle: number): void;
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
    history: `${record.start} begun, ${record.end} last written by Shoal`,
    references: 'CF Conventions, https://cfconventions.org',
    comment:
      'A twin experiment: the truth is a run of the same model, its time counts from the start of the experiment.',
    shoal_scenario: JSON.stringify(scenario),
  });

  const axis = (name: 'x' | 'y', count: number, spacing: number): void => {
    const data = Float64Array.from({ length: count }, (_, i) => i * spacing);
    const long_name = `distance of the cell's centre along ${name}`;
    scaleOf(name, createWhole(file, { name, data, shape: [count] }), {
      long_name,
      units: 'm',
      axis: name.toUpperCase(),
    });
  };
  axis('x', nx, dx);
  axis('y', ny, dy);
  const time = scaleOf('time', createSeries(file, 'time', '<d'), {
    standard_name: 'time',
    long_name: 'time of the analysis since the start of the experiment',
    ...TIME_UNITS,
    axis: 'T',
  });
  scaleOf(METHOD, file.create_dataset({ name: METHOD, data: labels, dtype: 'S' }), {
    long_name: 'method of data assimilation',
  });

  const cycle = createSeries(file, 'cycle', '<i');
  describe(cycle, { long_name: 'number of the cycle, from 0' });
  cycle.attach_scale(0, '/time');

  const { members = [] } = record.fields ?? {};
  if (members.length > 0) {
    const numbers = createWhole(file, {
      name: MEMBER,
      data: Int32Array.from(members),
      shape: [members.length],
      dtype: '<i',
    });
    scaleOf(MEMBER, numbers, { long_name: 'number of the member of the ensemble, from 0' });
  }

  const checksums = createChecksums(file);
  /** @param dimensions between those of the methods and the planes, with their lengths; `time` grows */
  const field = (name: string, long_name: string, units: string, dimensions: readonly Dimension[]): GrowingField => {
    const lengths = dimensions.map(({ length }) => length);
    const sums = checksums(name, dimensions);
    const made = file.create_dataset({
      name,
      data: new Float32Array(0),
      dtype: '<f',
      shape: [...lengths, ny, nx],
      maxshape: [...dimensions.map(({ name: of, length }) => (of === 'time' ? null : length)), ny, nx],
      chunks: [...dimensions.map(() => 1), ny, nx],
      compression: DEFLATE_LEVEL,
    });
    describe(made, { long_name, units });
    fillWith(made, '<f');
    [...dimensions.map((each) => each.name), 'y', 'x'].forEach((scale, i) => made.attach_scale(i, `/${scale}`));
    return {
      grow: (count) =>
        made.resize([...dimensions.map(({ name: of, length }) => (of === 'time' ? count : length)), ny, nx]),
      write(places, values) {
        made.write_slice([...places.map(at), [0, ny], [0, nx]] as Range[], values);
        sums.note(places, values);
      },
      complete: (cycle) => sums.write(cycle),
    };
  };
  const byTime: readonly Dimension[] = [{ name: 'time', length: 0 }];
  const byMethod: readonly Dimension[] = [{ name: METHOD, length: labels.length }, ...byTime];
  const byMember: readonly Dimension[] = [...byMethod, { name: MEMBER, length: members.length }];

  const truths = STATE.map((of) => ({
    of,
    stored: field(`truth_${of.name}`, `${of.longName}, of the truth`, of.units, byTime),
  }));
  const states = STATE.flatMap((of) =>
    PHASES.map(({ key, words }) => ({
      of,
      key,
      stored: field(`${of.name}_${key}`, `${of.longName}, ensemble mean ${words}`, of.units, byMethod),
    })),
  );
  const spreads = PHASES.map(({ key, words }) => ({
    of: key === 'forecast' ? forecastSpreadOf : analysisSpreadOf,
    stored: field(`eta_spread_${key}`, `standard deviation of the elevation over the members ${words}`, 'm', byMethod),
  }));
  const ofMembers =
    members.length === 0
      ? []
      : STATE.map((of) => ({
          of,
          stored: field(`${of.name}_members`, `${of.longName}, of members after the analysis`, of.units, byMember),
        }));
  const sums = scenario.methods.some(({ label }) => localVolumesOf(scenario, label) !== undefined)
    ? LOCAL_SUMS.map(({ of, name, longName }) => ({ of, stored: field(name, longName, '1', byMethod) }))
    : [];
  const inflations = scenario.methods.some(inflates)
    ? [{ stored: field('inflation', 'factor of the forecast covariance in the analysis of the cell', '1', byMethod) }]
    : [];
  const fields = [...truths, ...states, ...spreads, ...sums, ...inflations, ...ofMembers].map(({ stored }) => stored);

  const bedOf = createWhole(file, { name: 'bed', data: bed, dtype: '<f', shape: [ny, nx] });
  describe(bedOf, { long_name: 'elevation of the bed above the water at rest', units: 'm' });
  ['y', 'x'].forEach((scale, i) => bedOf.attach_scale(i, `/${scale}`));
  const observations = createObservationsWriter(file, record);
  const diagnostics = createDiagnosticsWriter(file, record);

  let count = 0;
  const nothing = new Float32Array(nx * ny).fill(FILL);
  const valuesOf = (plane: Plane | undefined): Float32Array => (plane ? hostValues(plane) : nothing);
  const inflationOf = (inflation: MethodSnapshot['inflation']): Float32Array => {
    if (inflation === undefined) return nothing;
    return typeof inflation === 'number' ? new Float32Array(nx * ny).fill(inflation) : inflation.values;
  };
  /** @param snapshot of the method; undefined where it has none, or has diverged */
  const addMethod = (
    index: number,
    snapshot: MethodSnapshot | undefined,
    { cycle: now, observations: seen }: Snapshot,
  ): void => {
    for (const { of, key, stored } of states)
      stored.write([index, count], valuesOf(snapshot && of.plane(snapshot[key])));
    for (const { of, stored } of spreads) stored.write([index, count], valuesOf(snapshot && of(snapshot)));
    if (sums.length > 0) {
      const volumes = snapshot && localVolumesOf(scenarioAt(scenario, now), labels[index]);
      const found = volumes && localSums(volumes, seen, usedIn(seen, labels[index]));
      for (const { of, stored } of sums) stored.write([index, count], found ? of(found) : nothing);
    }
    for (const { stored } of inflations) stored.write([index, count], inflationOf(snapshot?.inflation));
    members.forEach((member, place) => {
      const kept = snapshot?.members?.find((each) => each.member === member);
      for (const { of, stored } of ofMembers) {
        stored.write([index, count, place], valuesOf(kept && of.plane(kept.analysis)));
      }
    });
  };
  return {
    get count() {
      return count;
    },
    add(snapshot) {
      for (const dataset of [time, cycle]) dataset.resize([count + 1]);
      time.write_slice([at(count)], Float64Array.of(snapshot.timeSeconds));
      cycle.write_slice([at(count)], Int32Array.of(snapshot.cycle));
      for (const each of fields) each.grow(count + 1);
      for (const { of, stored } of truths) stored.write([count], hostValues(of.plane(snapshot.truth)));
      labels.forEach((label, index) => {
        const found = snapshot.methods.find(({ method }) => method === label);
        addMethod(index, found?.divergedAt === undefined ? found : undefined, snapshot);
      });
      for (const each of fields) each.complete(count);
      observations.add(snapshot, count);
      count += 1;
    },
    addDiagnostics: (row) => diagnostics.add(row),
    finish() {
      observations.finish();
      diagnostics.finish();
    },
  };
}
