/** Incremental 4D-Var: the increment at the beginning of the window that minimises J along its trajectory, of one state. */
import { createLinearWindow } from '../../models/index.ts';
import { randomStream } from '../../random/stream.ts';
import { createControlTransform, covarianceField } from '../covariances/index.ts';
import type { ControlTransform } from '../covariances/index.ts';
import { methodSchema, type SettingsOf } from '../definition.ts';
import { explainWith } from '../explanation.ts';
import type { Method, MethodContext } from '../method.ts';
import { assumedField } from '../shared/assumed.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { errorCorrelationField } from '../shared/error-correlation-setting.ts';
import { createWetIncrement } from '../shared/wet-increment.ts';
import { createBackgroundVariance, explainVariational, minimisationField } from '../variational/index.ts';
import { createWindowAnalysis } from './window-analysis.ts';

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

/** Random control vectors from which deviations inside the window and at its end are estimated: each to about 1/√(2n), 6 %. */
const DEVIATION_SAMPLES = 128;

/** √diag M′ B M′ᵀ at a time of the window, estimated. @returns [variable][y][x] */
async function sampledDeviations(
  { backend, seed }: MethodContext,
  transform: ControlTransform,
  length: number,
): Promise<Float64Array> {
  const stream = randomStream(seed, 'explanations.deviations', 0);
  const control = backend.allocate('deviations.control', 'real', transform.length);
  const increment = backend.allocate('deviations.increment', 'real', length);
  const squares = new Float64Array(length);
  for (let sample = 0; sample < DEVIATION_SAMPLES; sample++) {
    backend.write(
      control,
      Float64Array.from({ length: transform.length }, () => (stream.uniform() < 0.5 ? -1 : 1)),
    );
    transform.apply(control, increment);
    const made = await backend.read(increment);
    for (let i = 0; i < length; i++) squares[i] += made[i] ** 2;
  }
  control.dispose();
  increment.dispose();
  return squares.map((sum) => Math.sqrt(sum / DEVIATION_SAMPLES));
}

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
  /** By share of the window, about the trajectory that it is linearised about. */
  let deviations = new Map<number, Float64Array>();
  const during = (share: number) => {
    const then = analysis.observedWindow.transformTo(share);
    const backgroundDeviations = async (): Promise<Float64Array> => {
      const known = deviations;
      const found = known.get(share) ?? (await sampledDeviations(context, then, length));
      known.set(share, found);
      return found;
    };
    return { transform: then, backgroundDeviations };
  };
  const explanation = explainVariational(context, {
    ...during(1),
    during,
    analysis,
    state,
    members: 1,
    departures,
    minimisation,
    begin: (forecast) => forecast,
  });
  const explain = explainWith(explanation.answers);
  return {
    label,
    kind: method.kind,
    members: 1,
    state,
    departures,
    whiten: analysis.seen.whitenInto,
    initialise: ensemble.initialise,
    async explain(question, forecast) {
      if (await analysis.linearised()) deviations = new Map();
      return explain(question, forecast);
    },
    analysedVariance: (row, forecast) => explanation.analysedVariance(row, forecast),
    beginning,
    analyse() {
      deviations = new Map();
      return analysis.queue(state);
    },
    dispose() {
      for (const owned of [analysis, wet, ensemble, variance, transform, window, beginning]) owned.dispose();
    },
  };
}
