/** Hybrid 4D-Var, as a kind of method: 4D-Var whose covariance at the beginning of a window is a hybrid's. */
import { defineMethod, methodSchema, type SettingsOf } from '../definition.ts';
import { effortOfWindow, elementsOfWindow, fourDVar, momentaWarnings } from '../four-d-var/index.ts';
import { createHybrid, hybrid, hybridFields, type HybridVariant } from '../hybrid/index.ts';
import { assumedField } from '../shared/assumed.ts';
import { takenErrors } from '../shared/error-correlation-setting.ts';
import { minimisationField } from '../variational/index.ts';
import { createHybridWindow } from './hybrid-window.ts';

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
