/** The group `diagnostics` of a `fields.nc`: the numbers of `diagnostics.csv`, of every cycle, by method. */
import type { Dataset, File as HdfFile } from 'h5wasm';
import type { CycleDiagnostics } from '../../experiment/index.ts';
import { comparedVariables, observedVariables } from '../../scenario/index.ts';
import { diagnosticColumns } from '../diagnostic-columns.ts';
import type { RunRecord } from '../run-record.ts';
import {
  cfUnits,
  createSeries,
  createSeriesByMethod,
  describe,
  FILL,
  fillWith,
  METHOD,
  scaleOf,
} from './netcdf-parts.ts';

/** Cycles that are gathered before they are written. */
const BLOCK = 256;

/** @param file which has the dimension of methods */
export function createDiagnosticsWriter(file: HdfFile, { methods, variables, scenario }: RunRecord) {
  const group = file.create_group('diagnostics', true);
  const cycle = scaleOf('cycle', createSeries(group, 'cycle', '<i'), { long_name: 'number of the cycle, from 0' });
  const time = createSeries(group, 'time', '<d');
  describe(time, {
    standard_name: 'time',
    long_name: 'time of the analysis since the start of the experiment',
    units: 'seconds since 2000-01-01 00:00:00',
    calendar: 'standard',
  });
  time.attach_scale(0, '/diagnostics/cycle');
  const measured = { observed: observedVariables(scenario), compared: comparedVariables(scenario) };
  const columns = diagnosticColumns(variables, measured).map(({ name, longName, unit, of }) => {
    const dataset = createSeriesByMethod(group, name, '<d', methods.length);
    describe(dataset, { long_name: longName, ...(unit !== undefined && { units: cfUnits(unit) }) });
    fillWith(dataset, '<d');
    [`/${METHOD}`, '/diagnostics/cycle'].forEach((path, i) => dataset.attach_scale(i, path));
    return { dataset, of, gathered: new Float64Array(methods.length * BLOCK).fill(FILL) };
  });
  const positions = new Map(methods.map(({ label }, index) => [label, index]));
  const cycles: number[] = [];
  const times: number[] = [];
  let written = 0;

  const flush = (): void => {
    const end = written + cycles.length;
    if (end === written) return;
    const putSeries = (dataset: Dataset, values: Int32Array | Float64Array): void => {
      dataset.resize([end]);
      dataset.write_slice([[written, end]], values);
    };
    putSeries(cycle, Int32Array.from(cycles));
    putSeries(time, Float64Array.from(times));
    for (const { dataset, gathered } of columns) {
      const known = new Float64Array(methods.length * cycles.length);
      methods.forEach((_, index) =>
        known.set(gathered.subarray(index * BLOCK, index * BLOCK + cycles.length), index * cycles.length),
      );
      dataset.resize([methods.length, end]);
      dataset.write_slice(
        [
          [0, methods.length],
          [written, end],
        ],
        known,
      );
      gathered.fill(FILL);
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
      for (const { of, gathered } of columns) {
        const value = Number(of(row) ?? Number.NaN);
        if (!Number.isNaN(value)) gathered[index * BLOCK + cycles.length - 1] = value;
      }
    },
    /** Writes what is gathered. */
    flush,
  };
}
