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
import { defineMethod, methodSchema, type SettingsOf } from '../definition.ts';
import {
  effortOfWindow,
  elementsOfWindow,
  fourDVar,
  momentaWarnings,
  createWindowAnalysis,
  explainWindow,
} from '../four-d-var/index.ts';
import {
  createHybrid,
  hybrid,
  hybridFields,
  type HybridVariant,
  type HybridAnalysis,
  type HybridAnalysisParts,
} from '../hybrid/index.ts';
import { takenErrors, assumedField } from '../shared/error-correlation-setting.ts';
import { minimisationField } from '../variational/index.ts';
import type { MethodContext } from '../method.ts';
import { createWetIncrement } from '../shared/wet-increment.ts';

/** @throws LimitError if the trajectory does not fit */
async function createHybridWindow(
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

const hybridFourDVarSchema = methodSchema(
  'hybrid-4dvar',
  {
    title: 'Hybrid 4D-Var',
    description:
      'Variational analysis of a whole window whose errors at its beginning are partly static and partly an ensemble’s; the model and its adjoint move both.',
    gist: '4D-Var with a static and an ensemble’s covariance.',
  },
  { ...hybridFields, minimisation: minimisationField, assumed: assumedField },
);

type HybridFourDVarSettings = SettingsOf<typeof hybridFourDVarSchema>;

/** The settings as those of the hybrid. */
function asHybrid(settings: HybridFourDVarSettings) {
  return { ...settings, kind: 'hybrid' as const };
}

const OF_WINDOW: HybridVariant = { isApart: true, createAnalysis: createHybridWindow };

export const hybridFourDVar = defineMethod(hybridFourDVarSchema, {
  appearance: {
    shades: [
      ['#d46af0', '#8e24aa'],
      ['#e6b0f5', '#6a1b7e'],
    ],
    dash: '16 3 4 3 4 3',
    marker: 'nonagon',
  },
  carries: 'ensemble',
  assimilates: true,
  trustsSpread: true,
  linearises: true,
  takesErrors: takenErrors,
  problems: (settings, situation) => hybrid.problems?.(asHybrid(settings), situation) ?? [],
  warnings: (settings, situation) => [
    ...(hybrid.warnings?.(asHybrid(settings), situation) ?? []),
    // Members correct the momenta with the heights.
    ...(settings.ensembleWeight === 0 ? momentaWarnings(settings, situation) : []),
  ],
  memory(settings, sizes, situation) {
    // The background is a forecast of its own, whatever becomes of the members.
    const own = hybrid.memory?.({ ...asHybrid(settings), recentred: false }, sizes, situation) ?? { elements: 0 };
    const beginning = (sizes.members + 1) * sizes.state;
    return { ...own, elements: own.elements + beginning + elementsOfWindow(sizes, situation) };
  },
  asking: (settings, sizes, situation) => hybrid.asking?.(asHybrid(settings), sizes, situation) ?? 0,
  effort(settings, situation) {
    const own = hybrid.effort?.(asHybrid(settings), situation) ?? { each: 0, once: 0 };
    return { ...own, each: own.each + effortOfWindow(settings, situation) };
  },
  spreadSource: (settings) => hybrid.spreadSource?.(asHybrid(settings)),
  // Of both, the covariance of 4D-Var: with momenta that match the heights.
  proposal: (situation, others) => ({
    ...hybrid.proposal?.(situation, others),
    ...fourDVar.proposal?.(situation, others),
  }),
  tuning: (settings, situation) => hybrid.tuning?.(asHybrid(settings), situation) ?? { settings: [] },
  async create(settings, context) {
    return { ...(await createHybrid(asHybrid(settings), context, OF_WINDOW)), kind: settings.kind };
  },
});
