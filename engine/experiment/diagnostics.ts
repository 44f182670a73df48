/**
 * What is measured of a method in every cycle. All of it is reduced where the states are; a cycle reads back two short
 * fields for each method.
 */
import type { Backend, Field, Prepared, RealField } from '../compute/backend.ts';
import type { Method } from '../methods/index.ts';
import type { Model } from '../models/index.ts';
import type { ObservationOperator } from '../operators/observation/index.ts';
import {
  crps,
  ensembleScores,
  INNOVATION_REPORT_LENGTH,
  innovationStatistics,
  rankHistogram,
  readInnovationReport,
} from '../operators/statistics/index.ts';
import type { ByVariable, CycleDiagnostics, InnovationReport } from './events.ts';

/** What a scorekeeper measures; the rest of a cycle's diagnostics is known on the host. */
export type Scores = Pick<CycleDiagnostics, 'rmse' | 'spread' | 'crps' | 'rankHistogram' | 'innovation'>;

export interface Scorekeeper {
  /** Queues what is measured of the forecast, and of its departures where there are observations. */
  forecast(hasObservations: boolean): void;
  /** Queues what is measured of the analysis, and reads all of the cycle's numbers back. */
  analysis(hasObservations: boolean): Promise<Scores>;
  dispose(): void;
}

/** Cells between those whose ranks are counted, along each axis: neighbours tell the same. */
const RANK_STRIDE = 8;

/** Short fields that are copied into one another's neighbour, so that one read brings them all. */
interface Packed {
  readonly field: RealField;
  offsetOf(name: string): number;
}

function pack(backend: Backend, lengths: Readonly<Record<string, number>>): Packed {
  const offsets = new Map<string, number>();
  let length = 0;
  for (const [name, size] of Object.entries(lengths)) {
    offsets.set(name, length);
    length += size;
  }
  const field = backend.allocate('diagnostics.packed', 'real', length);
  return {
    field,
    offsetOf(name) {
      const offset = offsets.get(name);
      if (offset === undefined) throw new RangeError(`nothing called ${name} is packed`);
      return offset;
    },
  };
}

function innovationReport(report: Float64Array): InnovationReport {
  const { variance, ...rest } = readInnovationReport(report);
  return { ...rest, standardDeviation: Math.sqrt(variance) };
}

/** @param observations whose departures the method computes */
export async function createScorekeeper(
  backend: Backend,
  model: Model,
  truth: RealField,
  method: Method,
  observations: ObservationOperator,
): Promise<Scorekeeper> {
  const { nx, ny } = model.grid;
  const names = model.variables.map(({ name }) => name);
  const { members, state, departures } = method;
  const shape = { members, variables: names.length, cells: nx * ny };
  const strides = { strideX: Math.min(RANK_STRIDE, nx), strideY: Math.min(RANK_STRIDE, ny) };

  const scoring = await backend.prepare(ensembleScores, shape);
  const ranking = await backend.prepare(crps, shape);
  const counting = await backend.prepare(rankHistogram, { members, variables: names.length, nx, ny, ...strides });
  const describing = await backend.prepare(innovationStatistics, { observations: observations.capacity });
  const parts = {
    forecastError: names.length,
    forecastVariance: names.length,
    forecastCrps: 1,
    analysisError: names.length,
    analysisVariance: names.length,
    analysisCrps: 1,
    innovation: INNOVATION_REPORT_LENGTH,
  };
  const packed = pack(backend, parts);
  const fields = Object.fromEntries(
    Object.entries(parts).map(([name, length]) => [name, backend.allocate(`diagnostics.${name}`, 'real', length)]),
  ) as Readonly<Record<keyof typeof parts, RealField>>;
  const counts = backend.allocate('diagnostics.ranks', 'index', members + 1);

  const keep = (name: keyof typeof parts): void =>
    backend.copy(fields[name], packed.field, { targetOffset: packed.offsetOf(name) });

  function score(when: 'forecast' | 'analysis'): void {
    const [meanSquareError, meanVariance, mark] = [
      fields[`${when}Error`],
      fields[`${when}Variance`],
      fields[`${when}Crps`],
    ];
    scoring.run({ ensemble: state, truth, meanSquareError, meanVariance });
    ranking.run({ ensemble: state, truth, score: mark });
    keep(`${when}Error`);
    keep(`${when}Variance`);
    keep(`${when}Crps`);
  }

  return {
    forecast(hasObservations) {
      score('forecast');
      counting.run({ ensemble: state, truth, counts });
      if (!hasObservations) return;
      const { innovation, inverseDeviation, variance } = departures;
      describing.run({
        innovation,
        inverseDeviation,
        originalInverseDeviation: observations.inverseDeviation,
        backgroundVariance: variance,
        report: fields.innovation,
      });
      keep('innovation');
    },
    async analysis(hasObservations) {
      score('analysis');
      const [numbers, ranks] = await Promise.all([backend.read(packed.field), backend.read(counts)]);
      const part = (name: keyof typeof parts): Float64Array => {
        const offset = packed.offsetOf(name);
        return numbers.subarray(offset, offset + parts[name]);
      };
      const roots = (name: keyof typeof parts): ByVariable =>
        Object.fromEntries(names.map((variable, index) => [variable, Math.sqrt(part(name)[index])]));
      return {
        rmse: { forecast: roots('forecastError'), analysis: roots('analysisError') },
        spread: { forecast: roots('forecastVariance'), analysis: roots('analysisVariance') },
        crps: { forecast: part('forecastCrps')[0], analysis: part('analysisCrps')[0] },
        rankHistogram: Array.from(ranks),
        innovation: hasObservations ? innovationReport(part('innovation')) : undefined,
      };
    },
    dispose() {
      const prepared: readonly Pick<Prepared<never>, 'dispose'>[] = [scoring, ranking, counting, describing];
      const owned: readonly Pick<Field, 'dispose'>[] = [packed.field, counts, ...Object.values(fields)];
      for (const one of [...prepared, ...owned]) one.dispose();
    },
  };
}
