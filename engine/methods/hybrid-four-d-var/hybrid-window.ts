/**
 * The analysis of hybrid 4D-Var [lorenc2003, clayton2013]: that of 4D-Var, whose errors at the beginning of the window are partly those
 * of an ensemble, which the linearised model moves like the others,
 *
 *   J(v, a) = ½ vᵀv + ½ Σ a_iᵀa_i + ½ ‖R^−½ (d − H M′ (√β_s V v + √β_e Σ_i X′_i ∘ (V_L a_i)/√(k − 1)))‖²,
 *
 * X′ the anomalies of the members at the beginning: those that the filter's last analysis has left. The background is a trajectory of
 * its own, from the last analysis on.
 */
import { createLinearWindow } from '../../models/index.ts';
import { ensembleMean } from '../../operators/ensemble/index.ts';
import { createWindowAnalysis, explainWindow } from '../four-d-var/index.ts';
import type { HybridAnalysis, HybridAnalysisParts } from '../hybrid/index.ts';
import type { MethodContext } from '../method.ts';
import { createWetIncrement } from '../shared/wet-increment.ts';

/** @throws LimitError if the trajectory does not fit */
export async function createHybridWindow(
  context: MethodContext,
  { method, background, state, mean, departures, membersMean }: HybridAnalysisParts,
): Promise<HybridAnalysis> {
  const { label, minimisation } = method;
  const { backend, model, members } = context;
  const { transform } = background;
  const { length } = mean;
  const window = await createLinearWindow(backend, model, context.window);
  const wet = await createWetIncrement(context, transform.thinDepth);
  const averaging = await backend.prepare(ensembleMean, { members, length });
  /** The members and after them the background, as they are carried. */
  const beginning = backend.allocate(`${label}.beginning`, 'real', (members + 1) * length);
  const centre = backend.allocate(`${label}.beginningCentre`, 'real', length);
  const analysis = await createWindowAnalysis(context, {
    method,
    transform,
    window,
    wet,
    beginning: centre,
    departures,
  });

  /** Queues V of the members at the beginning, about the background there. */
  function begin(): void {
    backend.copy(beginning, centre, { sourceOffset: members * length, length });
    background.take(beginning, membersMean, centre);
  }

  const explanation = explainWindow(context, {
    analysis,
    state,
    members,
    departures,
    minimisation,
    begin(forecast) {
      begin();
      averaging.run({ ensemble: forecast, mean });
      return mean;
    },
  });
  return {
    beginning,
    whiten: analysis.seen.whitenInto,
    explain(question, forecast) {
      begin();
      return explanation.explain(question, forecast);
    },
    queue() {
      begin();
      explanation.forget();
      return analysis.queue(mean);
    },
    dispose() {
      for (const owned of [analysis, averaging, wet, window, beginning, centre]) owned.dispose();
    },
  };
}
