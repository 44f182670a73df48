/**
 * Hybrid 3DEnVar [hamill2000, lorenc2003]: the increment of a background is that of 3D-Var with the covariance β_s B + β_e C ∘ P,
 *
 *   δx = √β_s V v + √β_e Σ_i X′_i ∘ (V_L a_i)/√(k − 1),   J = ½ vᵀv + ½ Σ a_iᵀa_i + ½ ‖R^−½ (d − H δx)‖²,
 *
 * X′ the anomalies of an ensemble about the background, as its forecast has them. A filter keeps the ensemble: it analyses the
 * same forecast, and its members are then moved together, so that their mean is the hybrid's analysis.
 */
import { anomalies, ensembleMean, recentring } from '../../operators/ensemble/index.ts';
import { explainWith } from '../explanation.ts';
import type { AnalysisReport, Method, MethodContext } from '../method.ts';
import { createDepartures } from '../shared/departures.ts';
import type { Departures } from '../shared/departures.ts';
import { createIncrementalAnalysis, explainVariational } from '../variational/index.ts';
import { createHybridBackground } from './background.ts';
import { createFilter } from './ensemble-filter.ts';
import type { HybridSettings } from './settings.ts';

/** @throws LimitError when a field does not fit the backend */
export async function createHybrid(method: HybridSettings, context: MethodContext): Promise<Method> {
  const { label, minimisation } = method;
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
  const { transform } = background;
  const { observedEnsemble } = filter.departures;
  /** Of the mean, with the hybrid's variances: its quality control is its own. */
  const ofMean = await createDepartures(backend, observations, threshold, 1, {
    compute: (_mean, variance) => background.variance(mean, observedEnsemble, variance),
  });
  const averaging = await backend.prepare(ensembleMean, { members, length });
  const departures: Departures = {
    ...ofMean,
    observedEnsemble,
    see(ensemble, moment) {
      filter.departures.see(ensemble, moment);
      averaging.run({ ensemble, mean });
      ofMean.see(mean, moment);
    },
    compute(ensemble) {
      filter.departures.compute(ensemble);
      averaging.run({ ensemble, mean });
      ofMean.compute(mean);
    },
  };
  const analysis = await createIncrementalAnalysis(context, { label, transform, minimisation, departures });
  const splitting = await backend.prepare(anomalies, { members, length });
  const joining = await backend.prepare(recentring, { members, length });

  /** Queues the filter's members about the hybrid's analysis. */
  function recentre(): void {
    splitting.run({ ensemble: state, mean: fields.filteredMean, anomalies: fields.anomalies });
    joining.run({ mean, anomalies: fields.anomalies, ensemble: state });
  }

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
    label,
    kind: method.kind,
    members,
    state,
    departures,
    inflation: filter.inflation,
    initialise: filter.initialise,
    explain: explainWith(explanation.answers),
    async analyse(cycle) {
      background.take(state, mean);
      const own = await analysis.queue(mean);
      const filtered = await filter.analyse(cycle);
      const report = async (): Promise<AnalysisReport> => ({ ...(await filtered.report()), ...(await own.report()) });
      if (!own.complete && !filtered.complete) {
        recentre();
        return { report };
      }
      return {
        async complete() {
          await own.complete?.();
          await filtered.complete?.();
          recentre();
        },
        report,
      };
    },
    dispose() {
      const made = [analysis, ofMean, background, filter, averaging, splitting, joining];
      for (const owned of [...made, ...Object.values(fields)]) owned.dispose();
    },
  };
}
