/** The settings of the stochastic EnKF. */
import { choice } from '../../settings/index.ts';
import { methodSchema } from '../definition.ts';
import type { SettingsOf } from '../definition.ts';
import { assumedField } from '../shared/assumed.ts';
import { filterFields } from '../shared/ensemble-filter.ts';

export const enkfSchema = methodSchema(
  'enkf',
  {
    title: 'Stochastic EnKF',
    description: 'Ensemble Kalman filter with perturbed observations and a tapered gain.',
    gist: 'Ensemble Kalman filter with perturbed observations.',
  },
  {
    ...filterFields,
    errorCorrelation: choice({
      title: 'Correlated errors',
      description:
        'What it makes of observation errors that go together. ignored: all are taken for independent. full: R is whole, perturbations are drawn with its Cholesky factor, and innovations are expected to have HPHᵀ + R.',
      words: ['ignored', 'full'],
      default: 'ignored',
    }),
    assumed: assumedField,
  },
);

export type EnkfSettings = SettingsOf<typeof enkfSchema>;
