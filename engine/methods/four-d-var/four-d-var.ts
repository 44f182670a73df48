/** Incremental 4D-Var: the increment at the beginning of the window that minimises J along its trajectory, of one state. */
import { createLinearWindow } from '../../models/index.ts';
import { createControlTransform, covarianceField } from '../covariances/index.ts';
import { methodSchema, type SettingsOf } from '../definition.ts';
import type { Method, MethodContext } from '../method.ts';
import { assumedField } from '../shared/assumed.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { errorCorrelationField } from '../shared/error-correlation-setting.ts';
import { createWetIncrement } from '../shared/wet-increment.ts';
import { createBackgroundVariance, minimisationField } from '../variational/index.ts';
import { createWindowAnalysis } from './window-analysis.ts';
import { explainWindow } from './window-explanation.ts';

/** The settings of 4D-Var. */
export const fourDVarSchema = methodSchema(
  '4dvar',
  {
    title: '4D-Var',
    description:
      'Variational analysis of a whole window: the beginning of the trajectory is changed so that it passes by all observations, each at its time.',
    gist: 'Variational analysis of a trajectory, by the model and its adjoint.',
  },
  {
    covariance: covarianceField,
    errorCorrelation: errorCorrelationField(
      'R is whole in J; its Cholesky factor multiplies what is observed at every iteration.',
    ),
    minimisation: minimisationField,
    assumed: assumedField,
  },
);

type FourDVarSettings = SettingsOf<typeof fourDVarSchema>;

/** @throws LimitError if the trajectory does not fit */
export async function createFourDVar(method: FourDVarSettings, context: MethodContext): Promise<Method> {
  const { label, minimisation } = method;
  const { backend, model } = context;
  const window = await createLinearWindow(backend, model, context.window);
  const transform = await createControlTransform(backend, model, method.covariance, context);
  const variance = await createBackgroundVariance(transform, context);
  const ensemble = await createEnsembleState(label, context, 1, variance);
  const { state, departures, length } = ensemble;
  const wet = await createWetIncrement(context, transform.thinDepth);
  const beginning = backend.allocate(`${label}.beginning`, 'real', length);
  const analysis = await createWindowAnalysis(context, { method, transform, window, wet, beginning, departures });
  const explanation = explainWindow(context, {
    analysis,
    state,
    members: 1,
    departures,
    minimisation,
    begin: (forecast) => forecast,
  });
  return {
    label,
    kind: method.kind,
    members: 1,
    state,
    departures,
    whiten: analysis.seen.whitenInto,
    initialise: ensemble.initialise,
    explain: explanation.explain,
    analysedVariance: explanation.analysedVariance,
    beginning,
    analyse() {
      explanation.forget();
      return analysis.queue(state);
    },
    dispose() {
      for (const owned of [analysis, wet, ensemble, variance, transform, window, beginning]) owned.dispose();
    },
  };
}
