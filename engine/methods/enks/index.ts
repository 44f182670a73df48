/**
 * The ensemble Kalman smoother, as a kind of method: an LETKF whose weights of each cycle analyse the members of the cycles before
 * it as well, at most `lag` of them [evensen2000]. The covariance of the errors then and now is that of the members, who have
 * been moved from then to now: a past state needs no model to learn from what is observed later. The filter itself does not notice.
 */
import { count } from '../../settings/index.ts';
import { defineMethod, methodSchema, type SettingsOf } from '../definition.ts';
import { createLetkf, letkf, letkfFields } from '../letkf/index.ts';
import { takenErrors, assumedField } from '../shared/error-correlation-setting.ts';

const enksSchema = methodSchema(
  'enks',
  {
    title: 'EnKS',
    description: 'Ensemble Kalman smoother: an LETKF whose analyses improve the states of earlier cycles as well.',
    gist: 'Ensemble Kalman smoother: the states of earlier cycles are analysed as well.',
  },
  {
    lag: count({
      title: 'Lag',
      unit: 'cycles',
      description:
        'How many cycles back an analysis reaches; each is one more ensemble that is kept. 0 for the filter alone.',
      minimum: 0,
      maximum: 64,
      default: 5,
    }),
    ...letkfFields,
    assumed: assumedField,
  },
);

type EnksSettings = SettingsOf<typeof enksSchema>;

/** The settings as those of the filter. */
function asLetkf({ lag: _lag, ...settings }: EnksSettings) {
  return { ...settings, kind: 'letkf' as const };
}

export const enks = defineMethod(enksSchema, {
  appearance: {
    shades: [
      ['#7fd4c1', '#0f766e'],
      ['#b5e8dc', '#0b534d'],
    ],
    dash: '14 2 2 2',
    marker: 'times',
  },
  carries: 'ensemble',
  assimilates: true,
  trustsSpread: true,
  smooths: true,
  localAnalyses: (settings) => letkf.localAnalyses?.(asLetkf(settings)),
  takesErrors: takenErrors,
  problems: (settings, situation) => letkf.problems?.(asLetkf(settings), situation) ?? [],
  warnings: (settings, situation) => letkf.warnings?.(asLetkf(settings), situation) ?? [],
  memory(settings, sizes, situation) {
    const own = letkf.memory?.(asLetkf(settings), sizes, situation) ?? { elements: 0 };
    // The members of each cycle, and the truth of then that they are held against.
    return { ...own, elements: own.elements + settings.lag * (sizes.members + 1) * sizes.state };
  },
  asking: (settings, sizes, situation) => letkf.asking?.(asLetkf(settings), sizes, situation) ?? 0,
  effort(settings, situation) {
    const own = letkf.effort?.(asLetkf(settings), situation) ?? { each: 0, once: 0 };
    return { ...own, each: (1 + settings.lag) * own.each };
  },
  spreadSource: (settings) => letkf.spreadSource?.(asLetkf(settings)),
  proposal: (situation, others) => letkf.proposal?.(situation, others) ?? {},
  tuning: (settings, situation) => letkf.tuning?.(asLetkf(settings), situation) ?? { settings: [] },
  async create(settings, context) {
    return { ...(await createLetkf(asLetkf(settings), context, settings.lag)), kind: settings.kind };
  },
});
