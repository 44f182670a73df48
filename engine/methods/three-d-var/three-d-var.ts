/** 3D-Var: the increment that minimises J, of one state with a static background-error covariance (variational/). */
import { createControlTransform } from '../covariances/index.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import {
  createBackgroundVariance,
  createIncrementalAnalysis,
  explainVariational,
  staticDeviations,
} from '../variational/index.ts';
import type { ThreeDVarSettings } from './settings.ts';

export async function createThreeDVar(method: ThreeDVarSettings, context: MethodContext): Promise<Method> {
  const { label, minimisation } = method;
  const transform = await createControlTransform(context.backend, context.model, method.covariance, context);
  const variance = await createBackgroundVariance(transform, context);
  const ensemble = await createEnsembleState(label, context, 1, variance);
  const { state, departures } = ensemble;
  const analysis = await createIncrementalAnalysis(context, { method, transform, departures });
  const deviations = staticDeviations(transform, context.model);
  const explanation = explainVariational(context, {
    transform,
    analysis,
    state,
    members: 1,
    departures,
    minimisation,
    begin: (forecast) => forecast,
    backgroundDeviations: () => Promise.resolve(deviations()),
  });
  return {
    label,
    kind: method.kind,
    members: 1,
    state,
    departures,
    whiten: analysis.seen.whitenInto,
    initialise: ensemble.initialise,
    explain: explainWith(explanation.answers),
    analysedVariance: (row, forecast) => explanation.analysedVariance(row, forecast),
    analyse: () => analysis.queue(state),
    dispose() {
      for (const owned of [analysis, ensemble, variance, transform]) owned.dispose();
    },
  };
}
