/** 3D-Var: the increment that minimises J, of one state with a static background-error covariance (variational/). */
import { createControlTransform, covarianceField } from '../covariances/index.ts';
import { methodSchema, type SettingsOf } from '../definition.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import { assumedField } from '../shared/assumed.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { errorCorrelationField } from '../shared/error-correlation-setting.ts';
import {
  createBackgroundVariance,
  createIncrementalAnalysis,
  explainVariational,
  staticDeviations,
  minimisationField,
} from '../variational/index.ts';

/** The settings of 3D-Var. */
export const threeDVarSchema = methodSchema(
  '3dvar',
  {
    title: '3D-Var',
    description: 'Variational analysis of one state with a static background-error covariance.',
    gist: 'Variational analysis with a static background-error covariance.',
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

type ThreeDVarSettings = SettingsOf<typeof threeDVarSchema>;

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
