/**
 * The finite-size ensemble Kalman filter [bocquet2011], as a kind of method. Its prior is that of all covariances that k members may
 * have been drawn from, and the analysis is the LETKF's with an inflation that follows from it at every cell, in each analysis
 * (`pointInflation`): there is none to tune where the model is right.
 */
import { quantity } from '../../settings/index.ts';
import { defineMethod, methodSchema, around, type SettingsOf } from '../definition.ts';
import { createLetkf, letkf, localFields, weightWarnings, type LetkfSettings } from '../letkf/index.ts';
import { assumedField } from '../shared/error-correlation-setting.ts';
import { halfWidthTuning, localisation, localisationWarnings, proposedHalfWidth } from '../shared/localisation.ts';

const enkfNSchema = methodSchema(
  'enkf-n',
  {
    title: 'EnKF-N',
    description: 'Finite-size ensemble Kalman filter: the LETKF with an inflation that it finds at every cell.',
    gist: 'Finite-size ensemble Kalman filter.',
  },
  {
    localisation,
    certainty: quantity({
      title: 'Certainty',
      description:
        'How much more the spread of the members is trusted than that of as many random draws: 1 for those, more where the model is nearly linear. More gives less inflation.',
      above: 0,
      maximum: 100,
      default: 1,
    }),
    ...localFields,
    assumed: assumedField,
  },
);

type EnkfNSettings = SettingsOf<typeof enkfNSchema>;

/** The LETKF whose analyses these are, with an inflation of every cell's own. */
function asLetkf({ label, localisation: taken, weights, rotation, assumed }: EnkfNSettings): LetkfSettings {
  return {
    kind: 'letkf',
    label,
    localisation: taken,
    weights,
    rotation,
    assumed,
    inflation: 1,
    adaptation: { kind: 'local', deviation: 1 },
    relaxation: { kind: 'none' },
    additive: { standardDeviation: 0, length: 1, balance: 'none' },
    errorCorrelation: 'ignored',
  };
}

export const enkfN = defineMethod(enkfNSchema, {
  appearance: {
    shades: [
      ['#7fc97f', '#2e7d32'],
      ['#b5e2b5', '#1b5e20'],
    ],
    dash: '9 2 5 2',
    marker: 'heptagon',
  },
  carries: 'ensemble',
  assimilates: true,
  trustsSpread: true,
  localAnalyses: (settings) => letkf.localAnalyses?.(asLetkf(settings)),
  takesErrors: () => 'independent',
  warnings: (settings, situation) => [
    ...localisationWarnings(settings, situation),
    ...weightWarnings(settings, situation),
  ],
  memory: (settings, sizes, situation) => letkf.memory?.(asLetkf(settings), sizes, situation) ?? { elements: 0 },
  effort: (settings, situation) => letkf.effort?.(asLetkf(settings), situation) ?? { each: 0, once: 0 },
  spreadSource: () => ({ what: 'the inflation that it finds', remedy: 'Raise its certainty.' }),
  proposal: (situation) => ({ localisation: { halfWidth: proposedHalfWidth(situation) } }),
  tuning: (settings, situation) => ({
    settings: [
      ...halfWidthTuning(settings, situation),
      around({ path: 'certainty', present: settings.certainty, factor: 2, least: 0.1, most: 100 }),
    ],
    larger: 'less certainty',
    smaller: 'more certainty',
  }),
  create: (settings, context) =>
    createLetkf(
      { ...asLetkf(settings), kind: 'enkf-n', adaptation: { kind: 'finite-size', certainty: settings.certainty } },
      context,
    ),
});
