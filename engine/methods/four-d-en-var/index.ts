/** 4DEnVar, as a kind of method: a hybrid whose members are seen at the observations' own times. */
import { defineMethod, methodSchema, type SettingsOf } from '../definition.ts';
import { createAnalysisAtEnd, createHybrid, hybrid, hybridFields, type HybridVariant } from '../hybrid/index.ts';
import { assumedField } from '../shared/assumed.ts';
import { takenErrors } from '../shared/error-correlation-setting.ts';
import { singleMinimisationField } from '../variational/index.ts';
import { createObservedMembers } from './observed-members.ts';

const fourDEnVarSchema = methodSchema(
  '4denvar',
  {
    title: '4DEnVar',
    description:
      'Variational analysis whose background errors are partly an ensemble’s, which is seen at the times of the observations: a window is analysed without an adjoint.',
    gist: 'Variational analysis of a window, by an ensemble in place of an adjoint.',
  },
  { ...hybridFields, minimisation: singleMinimisationField, assumed: assumedField },
);

type FourDEnVarSettings = SettingsOf<typeof fourDEnVarSchema>;

/** The settings as those of the hybrid; nothing is linearised about a result, so that one loop is all. */
function asHybrid(settings: FourDEnVarSettings) {
  return { ...settings, kind: 'hybrid' as const, minimisation: { ...settings.minimisation, outerLoops: 1 } };
}

const IN_TIME: HybridVariant = {
  isApart: false,
  createAnalysis: (context, parts) => createAnalysisAtEnd(context, parts, createObservedMembers),
};

export const fourDEnVar = defineMethod(fourDEnVarSchema, {
  appearance: {
    shades: [
      ['#e8c15a', '#7d6000'],
      ['#f2dca0', '#5f4900'],
    ],
    dash: '16 3 4 3',
    marker: 'asterisk',
  },
  carries: 'ensemble',
  assimilates: true,
  trustsSpread: true,
  takesErrors: takenErrors,
  problems: (settings, situation) => hybrid.problems?.(asHybrid(settings), situation) ?? [],
  warnings: (settings, situation) => hybrid.warnings?.(asHybrid(settings), situation) ?? [],
  memory(settings, sizes, situation) {
    const own = hybrid.memory?.(asHybrid(settings), sizes, situation) ?? { elements: 0 };
    const { cells, members, observations } = sizes;
    // What members observe: anomalies, scaled, and sampled planes; places by rows and by columns; the controls once more.
    const elements = 3 * members * observations + 20 * observations + (members + 3) * cells + cells;
    return { ...own, elements: own.elements + (settings.ensembleWeight > 0 ? elements : 0) };
  },
  asking: (settings, sizes, situation) => hybrid.asking?.(asHybrid(settings), sizes, situation) ?? 0,
  effort(settings, situation) {
    const own = hybrid.effort?.(asHybrid(settings), situation) ?? { each: 0, once: 0 };
    const { observations, background } = situation;
    const seen = settings.ensembleWeight > 0 ? 24 * observations * background.members : 0;
    return { ...own, each: own.each + settings.minimisation.maxIterations * seen };
  },
  spreadSource: (settings) => hybrid.spreadSource?.(asHybrid(settings)),
  proposal: (situation, others) => hybrid.proposal?.(situation, others) ?? {},
  tuning: (settings, situation) => hybrid.tuning?.(asHybrid(settings), situation) ?? { settings: [] },
  async create(settings, context) {
    return { ...(await createHybrid(asHybrid(settings), context, IN_TIME)), kind: settings.kind };
  },
});
