/** The group `diagnostics` of a `fields.nc`: the numbers and lists of `diagnostics.csv`, of every cycle, by method. */
import type { Dataset, File as HdfFile } from 'h5wasm';
import type { CycleDiagnostics } from '../../experiment/index.ts';
import { comparedVariables, observedVariables } from '../../scenario/index.ts';
import { diagnosticColumns } from '../diagnostic-columns.ts';
import type { RunRecord } from '../run-record.ts';
import { createListDimensions, listsOf } from './netcdf-lists.ts';
import {
  cfUnits,
  createListsByMethod,
  createSeries,
  createSeriesByMethod,
  describe,
  FILL,
  fillWith,
  METHOD,
  scaleOf,
  TIME_UNITS,
} from './netcdf-parts.ts';
import type { Attributes, Range } from './netcdf-parts.ts';
import { createSeriesChecksums } from './netcdf-series-checksums.ts';

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
  const measured = { observed: observedVariables(scenario), compared: comparedVariables(scenario) };
  const lengths = createListDimensions(group, record);
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
  const lists = listsOf(record).map(({ name, longName, unit, along, of }) => {
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
