/**
 * Hybrid 3DEnVar [hamill2000, lorenc2003]: the increment of a background is that of 3D-Var with the covariance β_s B + β_e C ∘ P,
 *
 *   δx = √β_s V v + √β_e Σ_i X′_i ∘ (V_L a_i)/√(k − 1),   J = ½ vᵀv + ½ Σ a_iᵀa_i + ½ ‖R^−½ (d − H δx)‖²,
 *
 * X′ the anomalies of an ensemble about its mean, as its forecast has them. A filter keeps the ensemble and analyses its forecast.
 * Recentred, the background is that mean, and the members are then moved together, so that their mean is the hybrid's analysis; else
 * the filter continues as if it were alone, and the hybrid's analysis has a forecast of its own (`OwnForecast`).
 */
import { anomalies, ensembleMean, recentring } from '../../operators/ensemble/index.ts';
import type { Backend, RealField } from '../../compute/backend.ts';
import type { AnalysisReport, Method, MethodContext, CarriedStates, QueuedAnalysis } from '../method.ts';
import { createDepartures, type Departures } from '../shared/departures.ts';
import { explainWith } from '../explanation.ts';
import {
  createIncrementalAnalysis,
  explainVariational,
  type ObservedControl,
  type ObservedControlParts,
} from '../variational/index.ts';
import { createHybridBackground, type HybridBackground, type HybridParts } from './background.ts';
import { createFilter, type HybridSettings } from './settings.ts';

/** The variational analysis of a hybrid, and why it is what it is. */
export interface HybridAnalysis extends Pick<Method, 'beginning' | 'explain' | 'whiten'> {
  /** Queues `mean`, the background with its departures computed, ← the analysis. */
  queue(): Promise<QueuedAnalysis>;
  dispose(): void;
}

/** What it is made of, which stays the hybrid's. */
export interface HybridAnalysisParts {
  readonly method: HybridSettings;
  readonly background: HybridBackground;
  /** The members' forecast, [members][variable][y][x], and what they observe, each at its time, [members][capacity]. */
  readonly state: RealField;
  readonly observedEnsemble: RealField;
  /** The background, [variable][y][x], and its departures. */
  readonly mean: RealField;
  readonly departures: Departures;
  /** Where the mean of the members is written: `mean` itself if that is the background. */
  readonly membersMean: RealField;
}

/** How a hybrid sees its control vector, where it is not by H of the increment. */
type ObserveHybrid = (
  context: MethodContext,
  own: ObservedControlParts,
  /** V by its parts, and what the members of its filter observe, each at its time. [members][capacity] */
  background: { readonly parts: HybridParts; readonly observedEnsemble: RealField },
) => Promise<ObservedControl>;

export async function createAnalysisAtEnd(
  context: MethodContext,
  { method, background, state, observedEnsemble, mean, departures, membersMean }: HybridAnalysisParts,
  observe?: ObserveHybrid,
): Promise<HybridAnalysis> {
  const { minimisation } = method;
  const { members } = context;
  const { transform, parts } = background;
  const analysis = await createIncrementalAnalysis(context, {
    method,
    transform,
    departures,
    observe: observe && ((own) => observe(context, own, { parts, observedEnsemble })),
  });
  const explanation = explainVariational(context, {
    transform,
    analysis,
    state,
    members,
    departures,
    minimisation,
    begin(forecast) {
      background.take(forecast, mean);
      return mean;
    },
    backgroundDeviations: (forecast) => background.deviations(forecast),
  });
  return {
    queue() {
      background.take(state, membersMean, mean);
      return analysis.queue(mean);
    },
    whiten: analysis.seen.whitenInto,
    explain: explainWith(explanation.answers),
    dispose: () => analysis.dispose(),
  };
}

/** Fields that are the hybrid's, of `members` states or of one. */
interface OwnForecastParts {
  readonly label: string;
  readonly members: number;
  /** Where the filter works, and what everybody looks at in between. */
  readonly state: RealField;
  /** Where the hybrid works: its one state. */
  readonly centre: RealField;
  /** Work space: a state, and anomalies of the members. */
  readonly filteredMean: RealField;
  readonly anomalies: RealField;
}

/**
 * A forecast of the hybrid's own beside those of its filter's members, where these are not recentred on its analysis: the filter
 * goes its way as if it were alone, and gives the hybrid the errors of the day. What is carried is the members as the filter has
 * them, and after them the hybrid's state; what everybody looks at is that state with the members' anomalies about it.
 */
interface OwnForecast {
  readonly carried: CarriedStates;
  /** Queues the filter's members into `state`, and the hybrid's own into `centre`. */
  load(): void;
  /** Queues both back. */
  store(): void;
  dispose(): void;
}

/** @throws LimitError when a field does not fit the backend */
async function createOwnForecast(
  backend: Backend,
  { label, members, state, centre, filteredMean, anomalies: split }: OwnForecastParts,
): Promise<OwnForecast> {
  const { length } = centre;
  const all = backend.allocate(`${label}.carried`, 'real', (members + 1) * length);
  const own = members * length;
  const averaging = await backend.prepare(ensembleMean, { members, length });
  const splitting = await backend.prepare(anomalies, { members, length });
  const joining = await backend.prepare(recentring, { members, length });

  function load(): void {
    backend.copy(all, state, { length: own });
    backend.copy(all, centre, { sourceOffset: own, length });
  }

  function store(): void {
    backend.copy(state, all, { length: own });
    backend.copy(centre, all, { targetOffset: own, length });
  }

  return {
    carried: {
      state: all,
      members: members + 1,
      show() {
        load();
        splitting.run({ ensemble: state, mean: filteredMean, anomalies: split });
        joining.run({ mean: centre, anomalies: split, ensemble: state });
      },
      take() {
        averaging.run({ ensemble: state, mean: centre });
        store();
      },
    },
    load,
    store,
    dispose() {
      for (const owned of [all, averaging, splitting, joining]) owned.dispose();
    },
  };
}

/** The reports of both on an analysis, with the warnings of both. */
function joined(own: AnalysisReport, filtered: AnalysisReport): AnalysisReport {
  const warnings = [own, filtered].flatMap(({ warning }) => (warning === undefined ? [] : [warning]));
  return { ...filtered, ...own, ...(warnings.length > 0 && { warning: warnings.join('; ') }) };
}

/** What a hybrid is in three dimensions or four. */
export interface HybridVariant {
  /** Whether the background is a forecast of its own even if the members are recentred. */
  readonly isApart: boolean;
  readonly createAnalysis: (context: MethodContext, parts: HybridAnalysisParts) => Promise<HybridAnalysis>;
}

const AT_END: HybridVariant = { isApart: false, createAnalysis: createAnalysisAtEnd };

/** @throws LimitError when a field does not fit the backend */
export async function createHybrid(
  method: HybridSettings,
  context: MethodContext,
  { isApart, createAnalysis }: HybridVariant = AT_END,
): Promise<Method> {
  const { label, recentred } = method;
  const { backend, observations, threshold, members } = context;
  const filter = await createFilter(method.ensemble, label, context);
  const { state } = filter;
  const length = state.length / members;
  const fields = {
    mean: backend.allocate(`${label}.mean`, 'real', length),
    filteredMean: backend.allocate(`${label}.filteredMean`, 'real', length),
    /** Weighted for the covariance until the analysis is there, then those of the filter. */
    anomalies: backend.allocate(`${label}.anomalies`, 'real', members * length),
  };
  const { mean } = fields;
  const background = await createHybridBackground(method, context, fields.anomalies);
  const { observedEnsemble } = filter.departures;
  /** Departures of the mean, with the hybrid's variances: its quality control is its own. */
  const ofMean = await createDepartures(backend, observations, threshold, 1, {
    compute: (_mean, variance) => background.variance(mean, observedEnsemble, variance),
  });
  const averaging = await backend.prepare(ensembleMean, { members, length });
  const apart = recentred && !isApart ? undefined : await goApart();
  const departures: Departures = {
    ...ofMean,
    observedEnsemble: apart?.observedEnsemble ?? observedEnsemble,
    see(ensemble, moment) {
      if (apart) apart.own.load();
      else averaging.run({ ensemble, mean });
      filter.departures.see(apart ? state : ensemble, moment);
      ofMean.see(mean, moment);
    },
    compute(ensemble) {
      if (apart) apart.own.load();
      else averaging.run({ ensemble, mean });
      filter.departures.compute(apart ? state : ensemble);
      ofMean.compute(mean);
      apart?.show();
    },
  };
  const analysis = await createAnalysis(context, {
    method,
    background,
    state,
    observedEnsemble,
    mean,
    departures,
    membersMean: apart ? fields.filteredMean : mean,
  });
  const splitting = await backend.prepare(anomalies, { members, length });
  const joining = await backend.prepare(recentring, { members, length });

  /** What it has besides, where its background is a forecast of its own. */
  async function goApart() {
    const { capacity } = observations;
    const parts = { label, members, state, centre: mean, filteredMean: fields.filteredMean };
    const own = await createOwnForecast(backend, { ...parts, anomalies: fields.anomalies });
    const allocate = (name: string, size: number) => backend.allocate(`${label}.${name}`, 'real', size);
    const seen = {
      ensemble: allocate('observedEnsemble', members * capacity),
      mean: allocate('observedMean', capacity),
      anomalies: allocate('observedAnomalies', members * capacity),
    };
    const splittingSeen = await backend.prepare(anomalies, { members, length: capacity });
    const joiningSeen = await backend.prepare(recentring, { members, length: capacity });
    return {
      own,
      /** What is observed of the members about what is observed of the hybrid's own state. */
      observedEnsemble: seen.ensemble,
      /** Queues what everybody looks at: the members about the hybrid's own state, and what is observed of them. */
      show(): void {
        splittingSeen.run({ ensemble: observedEnsemble, mean: seen.mean, anomalies: seen.anomalies });
        joiningSeen.run({ mean: ofMean.observedEnsemble, anomalies: seen.anomalies, ensemble: seen.ensemble });
        own.carried.show();
      },
      dispose(): void {
        for (const owned of [own, splittingSeen, joiningSeen, ...Object.values(seen)]) owned.dispose();
      },
    };
  }

  /** Queues what continues: the filter's members, about the hybrid's analysis or beside it. */
  function conclude(): void {
    if (recentred) {
      splitting.run({ ensemble: state, mean: fields.filteredMean, anomalies: fields.anomalies });
      joining.run({ mean, anomalies: fields.anomalies, ensemble: state });
    }
    apart?.own.store();
    apart?.own.carried.show();
  }

  return {
    label,
    kind: method.kind,
    members,
    state,
    departures,
    whiten: analysis.whiten,
    inflation: filter.inflation,
    carried: apart?.own.carried,
    initialise(ensemble) {
      filter.initialise(ensemble);
      apart?.own.carried.take();
      apart?.own.carried.show();
    },
    explain: analysis.explain,
    beginning: analysis.beginning,
    async analyse(cycle) {
      apart?.own.load();
      const own = await analysis.queue();
      const filtered = await filter.analyse(cycle);
      const report = async (): Promise<AnalysisReport> => joined(await own.report(), await filtered.report());
      if (!own.complete && !filtered.complete) {
        conclude();
        return { report };
      }
      return {
        async complete() {
          await own.complete?.();
          await filtered.complete?.();
          conclude();
        },
        report,
      };
    },
    dispose() {
      const made = [analysis, ofMean, background, filter, averaging, splitting, joining];
      for (const owned of [...made, ...Object.values(fields)]) owned.dispose();
      apart?.dispose();
    },
  };
}
