/** The group `diagnostics` of a `fields.nc`: the numbers and lists of `diagnostics.csv`, of every cycle, by method. */
import type { Dataset, File as HdfFile, Group } from 'h5wasm';
import { comparedVariables, observedVariables, modelGrid, networkNames, recordedImpact } from '../../scenario/index.ts';
import { diagnosticColumns, impactLists } from '../diagnostic-columns.ts';
import type { RunRecord } from '../run-record.ts';
import {
  cfUnits,
  createListsByMethod,
  createSeries,
  createSeriesByMethod,
  describe,
  FILL,
  fillWith,
  flag,
  METHOD,
  scaleOf,
  TIME_UNITS,
  createSeriesChecksums,
} from './netcdf-parts.ts';
import type { Attributes, Range } from './netcdf-parts.ts';
import { regionNames, REGIONS, SPREAD_EDGES, type CycleDiagnostics } from '../../experiment/index.ts';
import { membersOf } from '../../methods/index.ts';
import { spectralOctaves } from '../../operators/consistency/index.ts';
import { consistencyLists, rankLists, regionLists, smoothedLists } from '../consistency-columns.ts';
import type { ConsistencyList, ListDimension } from '../consistency-columns.ts';

/** How long the lists along each dimension are. */
type ListLengths = Readonly<Record<ListDimension, number>>;

/** The lowest and the highest of each place of a dimension, [place][2]. */
const BOUNDS = 'bounds';

/** Makes the dimensions. @returns their lengths */
function createListDimensions(group: Group, { methods, scenario }: RunRecord): ListLengths {
  const scale = (name: string, data: Float64Array | Int32Array, attributes: Attributes): void => {
    scaleOf(name, group.create_dataset({ name, data }), attributes);
  };
  scale(BOUNDS, Int32Array.of(0, 1), { long_name: 'lower and upper bound' });
  /** Gives the bounds of each place. */
  const bound = (name: string, of: ListDimension, bounds: readonly (readonly number[])[], words: Attributes): void => {
    const made = group.create_dataset({ name, data: Float64Array.from(bounds.flat()), shape: [bounds.length, 2] });
    describe(made, words);
    [of, BOUNDS].forEach((path, i) => made.attach_scale(i, `/diagnostics/${path}`));
  };

  const ranks = 1 + Math.max(1, ...methods.map(({ kind }) => membersOf(kind, scenario.background.members)));
  scale(
    'rank',
    Int32Array.from({ length: ranks }, (_, rank) => rank),
    { long_name: 'members below, from none to all; a method with fewer has no higher ones' },
  );

  const bins = SPREAD_EDGES.length + 1;
  scale(
    'spread_bin',
    Int32Array.from({ length: bins }, (_, bin) => bin),
    {
      long_name: 'number of the bin, by the spread of a cell over the root mean square spread of its cycle',
      [BOUNDS]: 'spread_bin_bounds',
    },
  );
  bound(
    'spread_bin_bounds',
    'spread_bin',
    Array.from({ length: bins }, (_, bin) => [SPREAD_EDGES[bin - 1] ?? 0, SPREAD_EDGES[bin] ?? Infinity]),
    { long_name: 'spread over the root mean square spread of the cycle', units: '1' },
  );

  const octaves = spectralOctaves(modelGrid(scenario));
  scale(
    'band',
    Float64Array.from(octaves, (lowest) => lowest * Math.SQRT2),
    {
      long_name: 'wavenumber in the geometric middle of an octave',
      units: 'm-1',
      comment: 'cycles per metre; the last octave has all shorter waves as well',
      [BOUNDS]: 'band_bounds',
    },
  );
  bound(
    'band_bounds',
    'band',
    octaves.map((lowest) => [lowest, 2 * lowest]),
    { long_name: 'wavenumber', units: 'm-1' },
  );
  scaleOf('region', group.create_dataset({ name: 'region', data: [...regionNames(scenario.grid)], dtype: 'S' }), {
    long_name: 'region of the basin, y to the north, or of the ring',
  });
  const lag = Math.max(0, ...scenario.methods.map((method) => ('lag' in method ? method.lag : 0)));
  if (lag > 0) {
    scale(
      'lag',
      Int32Array.from({ length: lag }, (_, index) => index + 1),
      { long_name: 'cycles back from the analysis that has smoothed the state' },
    );
  }
  const networks = recordedImpact(scenario.experiment) ? networkNames(scenario) : [];
  if (networks.length > 0) {
    const data = Int32Array.from(networks.keys());
    const made = group.create_dataset({ name: 'network', data });
    flag(scaleOf('network', made, { long_name: 'observing network of the scenario' }), networks);
  }
  return { rank: ranks, spread_bin: bins, band: octaves.length, region: REGIONS, lag, network: networks.length };
}

/** @returns what a run has lists of */
function listsOf({ variables, scenario }: RunRecord, { lag, network }: ListLengths): readonly ConsistencyList[] {
  const compared = comparedVariables(scenario);
  const smoothed = lag > 0 ? smoothedLists(variables) : [];
  const impacts = network > 0 ? impactLists(variables) : [];
  return [
    ...rankLists(compared),
    ...consistencyLists(variables, compared),
    ...smoothed,
    ...regionLists(variables),
    ...impacts,
  ];
}

/** Cycles that are gathered before they are written. */
const BLOCK = 256;

/** A variable of the group, and what of it waits to be written. */
interface Gathered {
  readonly name: string;
  readonly dataset: Dataset;
  /** Numbers of a method and cycle. */
  readonly width: number;
  /** Whether these are a dimension of their own. */
  readonly isList: boolean;
  readonly of: (row: CycleDiagnostics) => readonly (number | undefined)[] | undefined;
  /** [methods][BLOCK][width] */
  readonly values: Float64Array;
}

/** Describes what has numbers by method and cycle. @param further dimensions behind these */
function attach(dataset: Dataset, attributes: Attributes, further: readonly string[] = []): void {
  describe(dataset, attributes);
  fillWith(dataset, '<d');
  [`/${METHOD}`, '/diagnostics/cycle', ...further].forEach((path, i) => dataset.attach_scale(i, path));
}

/** @param file which has the dimension of methods */
export function createDiagnosticsWriter(file: HdfFile, record: RunRecord) {
  const { methods, variables, scenario } = record;
  const group = file.create_group('diagnostics', true);
  const cycle = scaleOf('cycle', createSeries(group, 'cycle', '<i'), { long_name: 'number of the cycle, from 0' });
  const time = createSeries(group, 'time', '<d');
  describe(time, {
    standard_name: 'time',
    long_name: 'time of the analysis since the start of the experiment',
    ...TIME_UNITS,
  });
  time.attach_scale(0, '/diagnostics/cycle');
  const lengths = createListDimensions(group, record);
  const measured = {
    observed: observedVariables(scenario),
    compared: comparedVariables(scenario),
    hasImpacts: lengths.network > 0,
  };
  const gathered = (name: string, dataset: Dataset, width: number, isList: boolean, of: Gathered['of']): Gathered => ({
    name,
    dataset,
    width,
    isList,
    of,
    values: new Float64Array(methods.length * BLOCK * width).fill(FILL),
  });
  const numbers = diagnosticColumns(variables, measured).map(({ name, longName, unit, of }) => {
    const dataset = createSeriesByMethod(group, name, '<d', methods.length);
    attach(dataset, { long_name: longName, ...(unit !== undefined && { units: cfUnits(unit) }) });
    return gathered(name, dataset, 1, false, (row) => {
      const value = of(row);
      return value === undefined ? undefined : [Number(value)];
    });
  });
  const lists = listsOf(record, lengths).map(({ name, longName, unit, along, of }) => {
    const dataset = createListsByMethod(group, name, '<d', methods.length, lengths[along]);
    attach(dataset, { long_name: longName, units: cfUnits(unit) }, [`/diagnostics/${along}`]);
    return gathered(name, dataset, lengths[along], true, of);
  });
  const columns = [...numbers, ...lists];
  const positions = new Map(methods.map(({ label }, index) => [label, index]));
  const checksums = createSeriesChecksums(file, 'diagnostics');
  const cycles: number[] = [];
  const times: number[] = [];
  let written = 0;

  const flush = (): void => {
    const end = written + cycles.length;
    if (end === written) return;
    const putSeries = (name: string, dataset: Dataset, values: Int32Array | Float64Array): void => {
      dataset.resize([end]);
      dataset.write_slice([[written, end]], values);
      checksums.note({ name, along: 'cycle' }, values);
    };
    putSeries('cycle', cycle, Int32Array.from(cycles));
    putSeries('time', time, Float64Array.from(times));
    const count = cycles.length;
    for (const { name, dataset, width, isList, values } of columns) {
      const known = new Float64Array(methods.length * count * width);
      methods.forEach((_, index) => {
        const from = index * BLOCK * width;
        const own = values.subarray(from, from + count * width);
        known.set(own, index * count * width);
        checksums.note({ name, along: 'cycle', width, method: index }, own);
      });
      const last: Range[] = isList ? [[0, width]] : [];
      dataset.resize([methods.length, end, ...last.map(([, length]) => length)]);
      dataset.write_slice([[0, methods.length], [written, end], ...last], known);
      values.fill(FILL);
    }
    written = end;
    cycles.length = 0;
    times.length = 0;
  };

  return {
    /** Adds a row; those of a cycle come together, cycles in ascending order. */
    add(row: CycleDiagnostics) {
      const index = positions.get(row.method);
      if (index === undefined) return;
      if (cycles.at(-1) !== row.cycle) {
        if (cycles.length === BLOCK) flush();
        cycles.push(row.cycle);
        times.push(row.timeSeconds);
      }
      for (const { of, width, values } of columns) {
        const from = (index * BLOCK + cycles.length - 1) * width;
        for (const [place, value = Number.NaN] of (of(row) ?? []).slice(0, width).entries()) {
          if (!Number.isNaN(value)) values[from + place] = value;
        }
      }
    },
    /** Writes what is gathered, and the checksums of all. */
    finish() {
      flush();
      checksums.write();
    },
  };
}
