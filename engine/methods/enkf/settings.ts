/** The settings of the stochastic EnKF. */
import { methodSchema, type SettingsOf } from '../definition.ts';
import { assumedField } from '../shared/assumed.ts';
import { filterFields } from '../shared/ensemble-filter.ts';
import { errorCorrelationField } from '../shared/error-correlation-setting.ts';

export const enkfSchema = methodSchema(
  'enkf',
  {
    title: 'Stochastic EnKF',
    description: 'Ensemble Kalman filter with perturbed observations and a tapered gain.',
    gist: 'Ensemble Kalman filter with perturbed observations.',
  },
  {
    ...filterFields,
    errorCorrelation: errorCorrelationField(
      'R is whole, perturbations are drawn with its Cholesky factor, and innovations are expected to have HPHᵀ + R.',
    ),
    assumed: assumedField,
  },
);

export type EnkfSettings = SettingsOf<typeof enkfSchema>;
