/** The group `observations` of a `fields.nc`: all cycles' observations one behind another, with how many each cycle has. */
import type { Dataset, File as HdfFile } from 'h5wasm';
import type { Snapshot } from '../../run/index.ts';
import { methodDefinition } from '../../methods/index.ts';
import { networkNames, observedVariables, recordedImpact, unitOf } from '../../scenario/index.ts';
import type { RunRecord } from '../run-record.ts';
import {
  at,
  cfUnits,
  createSeries,
  createSeriesByMethod,
  describe,
  FILL,
  fillWith,
  flag,
  METHOD,
  TIME_UNITS,
  createSeriesChecksums,
} from './netcdf-parts.ts';
import type { Attributes, Range } from './netcdf-parts.ts';

/** What became of an observation in a method, by its flag. */
const QUALITY = ['missing', 'used', 'rejected', 'passive', 'diverged'] as const;
type Quality = (typeof QUALITY)[number];

/** @param asked which forecast the impacts are on */
function impactAttributes({ lead, verification }: NonNullable<ReturnType<typeof recordedImpact>>): Attributes {
  const forecast = lead === 0 ? 'analysis' : `forecast ${lead} ${lead === 1 ? 'cycle' : 'cycles'} later`;
  const against = verification === 'truth' ? 'the truth' : 'the mean of the method’s own analysis';
  return {
    long_name: `what the observation has added to the squared error of the ${forecast}; below 0 it has helped`,
    units: cfUnits('m³/s²'),
    comment: `ensemble sensitivity; the error is against ${against}, as the mean over the basin of g eta^2/2 + (hu^2 + hv^2)/(2H), H the mean depth`,
  };
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
    const made = column(name, '<i', { long_name });
    flag(made, words);
    return made;
  };
  const units = [...new Set(variables.map((variable) => cfUnits(unitOf(variable))))];
  const unit: Attributes = units.length === 1 ? { units: units[0] } : { comment: 'in the unit of the variable' };
  const columns = {
    x: column('x', '<d', { long_name: 'place along x', units: 'm' }),
    y: column('y', '<d', { long_name: 'place along y', units: 'm' }),
    time: column('time', '<d', {
      standard_name: 'time',
      long_name: 'time of the observation since the start of the experiment',
      ...TIME_UNITS,
    }),
    variable: flagged(
      'variable',
      `what is observed, in ${variables.map((name) => `${name}: ${cfUnits(unitOf(name))}`).join(', ')}`,
      variables,
    ),
    network: flagged('network', 'observing network of the scenario', networkNames(scenario)),
    value: column('value', '<d', { long_name: 'what was observed', ...unit }),
    error: column('error', '<d', { long_name: 'standard deviation of the observation error', ...unit }),
  };
  const byMethod = (name: string, dtype: string, attributes: Attributes): Dataset => {
    const made = createSeriesByMethod(group, name, dtype, methods.length);
    describe(made, attributes);
    [`/${METHOD}`, '/observations/observation'].forEach((path, i) => made.attach_scale(i, path));
    return made;
  };
  const innovation = byMethod('innovation', '<d', {
    long_name: 'observation minus its value in the mean of the forecast, of what the method used',
    ...unit,
  });
  const departure = byMethod('departure', '<d', {
    long_name: 'observation minus its value in the mean of the analysis',
    ...unit,
  });
  for (const numbers of [columns.time, columns.value, columns.error, innovation, departure]) fillWith(numbers, '<d');
  const quality = byMethod('quality', '<i', {
    long_name: 'what became of the observation in the method',
    comment:
      'missing: there is none; rejected: by quality control; passive: the method assimilates nothing, and is compared alone; diverged: there is no such method any more',
  });
  flag(quality, QUALITY);
  const asked = recordedImpact(scenario.experiment);
  const impact = asked && byMethod('impact', '<d', impactAttributes(asked));
  if (impact) fillWith(impact, '<d');
  const ofMethods = { innovation, departure, quality, ...(impact && { impact }) };
  const assimilating = new Set(
    methods.filter(({ kind }) => methodDefinition(kind).assimilates).map(({ label }) => label),
  );

  const ofAll = { observation: scale, ...columns };

  const checksums = createSeriesChecksums(file, 'observations');
  const along = 'observation';
  let total = 0;
  return {
    add({ timeSeconds, observations: found, methods: snapshots }: Snapshot, index: number) {
      const count = found.values.length;
      counts.resize([index + 1]);
      counts.write_slice([at(index)], Int32Array.of(count));
      checksums.note({ name: 'count', along: 'cycle' }, Int32Array.of(count));
      if (count === 0) return;
      const end = total + count;
      const put = (name: keyof typeof ofAll, values: Float64Array | Int32Array): void => {
        ofAll[name].resize([end]);
        ofAll[name].write_slice([[total, end]], values);
        checksums.note({ name, along }, values);
      };
      const { x, y, values, variable, network, inverseErrorStd, share, innovations } = found;
      const { departures = {}, believed: believedBy = {}, impacts = {} } = found;
      const isThere = (i: number): boolean => inverseErrorStd[i] > 0;
      put(
        'observation',
        Int32Array.from({ length: count }, (_, i) => total + i),
      );
      put(
        'x',
        Float64Array.from(x, (place) => place * dx),
      );
      put(
        'y',
        Float64Array.from(y, (place) => place * dy),
      );
      put(
        'time',
        Float64Array.from(x, (_, i) => (share ? timeSeconds - (1 - share[i]) * scenario.experiment.window : FILL)),
      );
      put(
        'variable',
        Int32Array.from(variable, (name) => variables.findIndex((each) => each === name)),
      );
      put('network', Int32Array.from(network));
      put(
        'value',
        values.map((value, i) => (isThere(i) ? value : FILL)),
      );
      put(
        'error',
        inverseErrorStd.map((inverse) => (inverse > 0 ? 1 / inverse : FILL)),
      );
      for (const dataset of Object.values(ofMethods)) dataset.resize([methods.length, end]);
      methods.forEach(({ label }, position) => {
        const snapshot = snapshots.find(({ method }) => method === label);
        const isGone = !snapshot || snapshot.divergedAt !== undefined;
        const [before, after, believed] = [innovations, departures, believedBy].map((by) =>
          isGone ? undefined : by[label],
        );
        const isUsed = (i: number): boolean => (believed ? believed[i] > 0 : before !== undefined && before[i] !== 0);
        const qualityOf = (i: number): Quality => {
          if (!isThere(i)) return 'missing';
          if (isGone) return 'diverged';
          if (!isUsed(i)) return 'rejected';
          return assimilating.has(label) ? 'used' : 'passive';
        };
        const place: Range[] = [at(position), [total, end]];
        const filled = (values: Float64Array | undefined, isKnown: (i: number) => boolean): Float64Array =>
          Float64Array.from({ length: count }, (_, i) => (isKnown(i) ? (values?.[i] ?? FILL) : FILL));
        const putOf = (name: keyof typeof ofMethods, values: Float64Array | Int32Array): void => {
          ofMethods[name]?.write_slice(place, values);
          checksums.note({ name, along, method: position }, values);
        };
        putOf(
          'innovation',
          filled(before, (i) => isThere(i) && isUsed(i)),
        );
        putOf('departure', filled(after, isThere));
        if (impact) putOf('impact', filled(isGone ? undefined : impacts[label], isUsed));
        putOf(
          'quality',
          Int32Array.from({ length: count }, (_, i) => QUALITY.indexOf(qualityOf(i))),
        );
      });
      total = end;
    },
    finish: () => checksums.write(),
  };
}
