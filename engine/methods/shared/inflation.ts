/**
 * Inflation of the forecast's covariance by one factor ρ: as it is set, or adapted to the innovations of each cycle
 * (`inflationEstimate`), for all cells and variables alike, and never below 1; a factor of each cell's own is in
 * `letkf/point-factors.ts`. A factor that adapts itself stays on the device, where the next cycle is queued before this one is reported:
 * an analysis uses what the cycles before have found, so that nothing waits, and corrects it for the next.
 */
import { z } from 'zod';
import type { RealField } from '../../compute/backend.ts';
import { ensembleMean, inflationBy, inflation as inflationOperator } from '../../operators/ensemble/index.ts';
import { inflationEstimate } from '../../operators/adaptive-inflation/index.ts';
import { innovation } from '../../operators/observation/index.ts';
import { kind, quantity, section } from '../../settings/index.ts';
import type { MethodAnswers } from '../explanation.ts';
import type { MethodContext, AdaptedFactor } from '../method.ts';
import type { Departures } from './departures.ts';
import { lazily } from './explaining.ts';

/** What a factor is held between. */
export const [LEAST, MOST] = [1, 100];

export const inflationField = quantity({
  title: 'Inflation',
  description:
    'Multiplies the forecast’s covariance, not its anomalies; 1 for none. Where it adapts itself, the first one.',
  minimum: LEAST,
  maximum: MOST,
  default: 1,
});

const deviation = quantity({
  title: 'Prior standard deviation',
  description:
    'How far the factor may have moved since the cycle before: more follows faster, and the chance in the innovations too.',
  above: 0,
  maximum: 10,
  default: 0.1,
});

const globalKinds = [
  section({ title: 'None', description: 'Inflation stays as it is set.' }, { kind: kind('none', 'As it is set.') }),
  section(
    {
      title: 'From innovations',
      description:
        'So that forecast and observation errors together are as large as the innovations. One factor for all cells, at least 1, by the scalar Kalman update that Miyoshi (2011) makes at every cell. An error of the model makes it grow everywhere.',
    },
    {
      kind: kind('innovations', 'From the size of the innovations: one factor for all cells, at least 1.'),
      deviation,
    },
  ),
  section(
    {
      title: 'By Desroziers’ ratio',
      description: 'So that increments and innovations are correlated as the ensemble says.',
    },
    { kind: kind('desroziers', 'By the ratio of Desroziers.'), deviation },
  ),
] as const;

const localKind = section(
  {
    title: 'From the innovations around',
    description:
      'Miyoshi (2011): every cell has its own factor, at least 1, from the innovations in its reach with the weights of their localisation. It grows where the model errs, and stays out of reach of all observations.',
  },
  { kind: kind('local', 'From the innovations around each cell: a factor of its own, at least 1.'), deviation },
);

const ADAPTATION = {
  title: 'Adaptive inflation',
  description:
    'Corrects the inflation from the observations of each cycle, for the next one: one factor for all cells and variables, held between 1 and 100.',
};

export const adaptationField = z
  .discriminatedUnion('kind', [...globalKinds])
  .prefault({ kind: 'none' })
  .meta(ADAPTATION);

/** Adaptation in a filter that analyses every cell by itself. */
export const localAdaptationField = z
  .discriminatedUnion('kind', [...globalKinds, localKind])
  .prefault({ kind: 'none' })
  .meta({
    ...ADAPTATION,
    description:
      'Corrects the inflation from the observations of each cycle, for the next one: by one factor for all cells, or one for each; the same for all variables, held between 1 and 100.',
  });

export type Adaptation = z.output<typeof localAdaptationField>;

export interface InflationSettings {
  readonly label: string;
  readonly inflation: number;
  readonly adaptation: Adaptation | { readonly kind: 'finite-size' };
}

export interface AdaptiveInflation {
  readonly factor: AdaptedFactor;
  /** Queues the inflation of what the members see, [members][capacity], by what the next analysis uses. */
  readonly inflateObserved: (observedEnsemble: RealField) => void;
  /** Queues the inflation of a forecast, [members][length], in place, with which an analysis begins. */
  begin(state: RealField): void;
  /** Queues the same inflation of another ensemble, between `begin` and the next. */
  inflate(ensemble: RealField): void;
  /** Queues the factor of the next analysis. @param analysis [members][length], of the departures' forecast */
  update(departures: Departures, analysis: RealField): void;
  /** Answers about a forecast that is inflated as the latest analysis was; to be given the forecast as it came. */
  about(answers: MethodAnswers): MethodAnswers;
  /** @returns ρ of the latest analysis */
  read(): Promise<number>;
  dispose(): void;
}

/** @returns undefined where the factor stays as it is set. @param length elements of a member */
export async function createAdaptiveInflation(
  { label, inflation, adaptation }: InflationSettings,
  { backend, observations, members }: MethodContext,
  length: number,
): Promise<AdaptiveInflation | undefined> {
  if (adaptation.kind !== 'innovations' && adaptation.kind !== 'desroziers') return undefined;
  const { capacity } = observations;
  const isRatio = adaptation.kind === 'desroziers';
  const allocate = (name: string, size: number) => backend.allocate(`${label}.inflation.${name}`, 'real', size);
  const [next, used] = [allocate('next', 1), allocate('used', 1)];
  const factor = { next, used, mean: used };
  for (const field of [next, used]) backend.write(field, [inflation]);
  const inflating = await backend.prepare(inflationBy, { members, length });
  const inflatingObserved = await backend.prepare(inflationBy, { members, length: capacity });
  const estimating = await backend.prepare(inflationEstimate, {
    observations: capacity,
    ...adaptation,
    least: LEAST,
    most: MOST,
  });
  const looking = isRatio
    ? {
        observed: allocate('observedAnalysis', members * capacity),
        mean: allocate('observedMean', capacity),
        residual: allocate('residual', capacity),
        scaled: allocate('scaledResidual', capacity),
        averaging: await backend.prepare(ensembleMean, { members, length: capacity }),
        departing: await backend.prepare(innovation, { observations: capacity }),
      }
    : undefined;
  const copy = lazily(() => Promise.resolve(allocate('forecast', members * length)));

  /** @returns dᵃ = y − mean H(xᵃ) of what is used */
  function residualOf(
    { inverseErrorStd, valuesAtAnalysis: values }: Departures,
    analysis: RealField,
  ): RealField | undefined {
    if (!looking) return undefined;
    const { observed, mean, residual, scaled, averaging, departing } = looking;
    observations.observe(analysis, members, observed);
    averaging.run({ ensemble: observed, mean });
    departing.run({ values, observed: mean, inverseErrorStd, innovation: residual, scaled });
    return residual;
  }

  async function inflated(forecast: RealField): Promise<RealField> {
    const ensemble = await copy.get();
    backend.copy(forecast, ensemble);
    inflate(ensemble);
    return ensemble;
  }

  const inflate = (ensemble: RealField): void => inflating.run({ factor: factor.used, ensemble });

  return {
    factor,
    inflate,
    inflateObserved: (ensemble) => inflatingObserved.run({ factor: factor.next, ensemble }),
    begin(state) {
      backend.copy(factor.next, factor.used);
      inflate(state);
    },
    update(departures, analysis) {
      const { innovation: departure, inverseErrorStd, variance } = departures;
      const residual = residualOf(departures, analysis) ?? departure;
      estimating.run({ innovation: departure, residual, inverseErrorStd, variance, factor: factor.next });
    },
    about(answers) {
      const entries = Object.entries(answers) as [string, (asked: never, forecast: RealField) => unknown][];
      return Object.fromEntries(
        entries.map(([asked, answer]) => [
          asked,
          async (question: never, forecast: RealField) => answer(question, await inflated(forecast)),
        ]),
      ) as MethodAnswers;
    },
    async read() {
      const [used] = await backend.read(factor.used);
      return used;
    },
    dispose() {
      for (const owned of [next, used, inflating, inflatingObserved, estimating, copy]) owned.dispose();
      if (looking) for (const owned of Object.values(looking)) owned.dispose();
    },
  };
}

/** @returns factors to continue with: those of before if there are as many, else the mean of these everywhere */
export function continuedFactors(before: Float64Array, count: number): Float64Array {
  if (before.length === count) return before;
  return new Float64Array(count).fill(before.reduce((sum, factor) => sum + factor, 0) / before.length);
}

/** @returns reals on the backend that an inflation holds which adapts itself: what the members see, inflated, and after the analysis */
export function adaptiveMemory({ adaptation }: Pick<InflationSettings, 'adaptation'>, seen: number): number {
  if (adaptation.kind === 'none') return 0;
  return adaptation.kind === 'desroziers' ? 2 * seen : seen;
}

/** The forecast as a filter analyses it: its members inflated, by the set factor or by that which adapts itself, and what they see. */
export interface InflatedForecast {
  /** Queues the inflation of a forecast, [members][length], in place, and of the departures' `observedEnsemble` with it. */
  inflate(state: RealField): void;
  dispose(): void;
}

/** @param factor ρ, if it does not adapt itself. @param length elements of a member */
export async function createInflatedForecast(
  { backend, observations, members }: MethodContext,
  departures: Departures,
  {
    factor,
    adaptive,
    length,
  }: { readonly factor: number; readonly adaptive: AdaptiveInflation | undefined; readonly length: number },
): Promise<InflatedForecast> {
  const ofAnomalies = Math.sqrt(factor);
  const inflating = await backend.prepare(inflationOperator, { members, length, factor: ofAnomalies });
  const inflatingObserved = await backend.prepare(inflationOperator, {
    members,
    length: observations.capacity,
    factor: ofAnomalies,
  });
  return {
    inflate(state) {
      const { observedEnsemble, inflatedEnsemble } = departures;
      if (adaptive) adaptive.begin(state);
      else inflating.run({ ensemble: state });
      // Inflation has moved the members, and so what is observed of them; what was observed before, by as much.
      if (!observations.isAsynchronous) observations.observe(state, members, observedEnsemble);
      else if (adaptive) backend.copy(inflatedEnsemble, observedEnsemble);
      else inflatingObserved.run({ ensemble: observedEnsemble });
    },
    dispose() {
      inflating.dispose();
      inflatingObserved.dispose();
    },
  };
}
