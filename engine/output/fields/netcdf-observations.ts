/** The group `observations` of a `fields.nc`: all cycles' observations one behind another, with how many each cycle has. */
import type { Dataset, File as HdfFile } from 'h5wasm';
import type { Snapshot } from '../../run/index.ts';
import { networkNames, observedVariables, unitOf } from '../../scenario/index.ts';
import type { RunRecord } from '../run-record.ts';
import { createSeries, describe, FILL, METHOD, SERIES_CHUNK } from './netcdf-parts.ts';
import type { Attributes } from './netcdf-parts.ts';

const MISSING = 0;
const USED = 1;
const NOT_USED = 2;

/** @returns the names as CF has them of flags: words without blanks */
function flagMeanings(words: readonly string[]): Attributes {
  return { flag_meanings: words.map((word) => word.replaceAll(/[^\w.+@-]+/g, '_')).join(' ') };
}

/** A contiguous ragged array: the group has `count` by cycle, all else by observation. */
export function createObservationsWriter(file: HdfFile, { scenario, methods }: RunRecord) {
  const { dx, dy } = scenario.grid;
  const variables = observedVariables(scenario);
  const group = file.create_group('observations', true);
  const counts = createSeries(group, 'count', '<i');
  describe(counts, { long_name: 'observations of the cycle', sample_dimension: 'observation' });
  counts.attach_scale(0, '/time');

  const scale = createSeries(group, 'observation', '<i');
  describe(scale, { long_name: 'number of the observation in the run, from 0' });
  scale.make_scale('observation');
  const column = (name: string, dtype: string, attributes: Attributes): Dataset => {
    const made = createSeries(group, name, dtype);
    describe(made, attributes);
    made.attach_scale(0, '/observations/observation');
    return made;
  };
  const flagged = (name: string, long_name: string, words: readonly string[]): Dataset => {
    const made = column(name, '<i', { long_name, ...flagMeanings(words) });
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
    network: flagged('network', 'observing network of the scenario', networkNames(scenario)),
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
    [`/${METHOD}`, '/observations/observation'].forEach((path, i) => made.attach_scale(i, path));
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
    ...flagMeanings(['missing', 'used', 'not_used']),
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
