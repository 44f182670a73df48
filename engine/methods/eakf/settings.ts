/** The settings of the serial filter. */
import { methodSchema, type SettingsOf } from '../definition.ts';
import { assumedField } from '../shared/assumed.ts';
import { filterFields } from '../shared/ensemble-filter.ts';
import { rotationField } from '../shared/relaxation.ts';

export const eakfSchema = methodSchema(
  'eakf',
  {
    title: 'Serial EAKF',
    description:
      'Ensemble adjustment Kalman filter: one observation after the other, which is the serial square-root filter (ESRF) as well.',
    gist: 'Ensemble adjustment Kalman filter: one observation after the other.',
  },
  { ...filterFields, rotation: rotationField, assumed: assumedField },
);

export type EakfSettings = SettingsOf<typeof eakfSchema>;
