/** The settings of the stochastic EnKF. */
import { methodSchema } from '../definition.ts';
import type { SettingsOf } from '../definition.ts';
import { filterFields } from '../shared/ensemble-filter.ts';

export const enkfSchema = methodSchema(
  'enkf',
  {
    title: 'Stochastic EnKF',
    description: 'Ensemble Kalman filter with perturbed observations and a tapered gain.',
    gist: 'Ensemble Kalman filter with perturbed observations.',
  },
  filterFields,
);

export type EnkfSettings = SettingsOf<typeof enkfSchema>;
