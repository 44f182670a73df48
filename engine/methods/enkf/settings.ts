/** The settings of the stochastic EnKF, and those that filters with its gain share. */
import { methodSchema, type SettingsOf } from '../definition.ts';
import { assumedField } from '../shared/assumed.ts';
import { filterFields } from '../shared/ensemble-filter.ts';
import { errorCorrelationField } from '../shared/error-correlation-setting.ts';

/** @param whole what a filter does with R whole */
export function gainFilterFields(whole: string) {
  return { ...filterFields, errorCorrelation: errorCorrelationField(whole), assumed: assumedField };
}

export const enkfSchema = methodSchema(
  'enkf',
  {
    title: 'Stochastic EnKF',
    description: 'Ensemble Kalman filter with perturbed observations and a tapered gain.',
    gist: 'Ensemble Kalman filter with perturbed observations.',
  },
  gainFilterFields(
    'R is whole, perturbations are drawn with its Cholesky factor, and innovations are expected to have HPHᵀ + R.',
  ),
);

/** The settings of any filter with this gain. */
export type EnkfSettings = Omit<SettingsOf<typeof enkfSchema>, 'kind'> & { readonly kind: string };
