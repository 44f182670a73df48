/** The settings of the LETKF. */
import { count, optionalSection } from '../../settings/index.ts';
import { methodSchema, type SettingsOf } from '../definition.ts';
import { assumedField } from '../shared/assumed.ts';
import { filterFields } from '../shared/ensemble-filter.ts';
import { errorCorrelationField } from '../shared/error-correlation-setting.ts';
import { localAdaptationField } from '../shared/inflation.ts';
import { rotationField } from '../shared/relaxation.ts';

/** What a filter has that analyses every cell by itself: where it does, and a rotation of its anomalies. */
export const localFields = {
  weights: optionalSection(
    {
      title: 'Local weights',
      description: 'Where the weights of the members are computed, and where they are interpolated.',
    },
    {
      every: count({
        title: 'Computed every',
        unit: 'cells',
        description: 'Cells from one computed place to the next along each axis, bilinear between; 1 for every cell.',
        minimum: 1,
        maximum: 64,
        default: 1,
      }),
    },
  ),
  rotation: rotationField,
};

/** What the filter is set by beside what it assumes. */
export const letkfFields = {
  ...filterFields,
  adaptation: localAdaptationField,
  ...localFields,
  errorCorrelation: errorCorrelationField(
    'R is whole among the observations around each cell; localisation gives those at a distance an independent error beside theirs.',
  ),
};

export const letkfSchema = methodSchema(
  'letkf',
  {
    title: 'LETKF',
    description: 'Local ensemble transform Kalman filter.',
    gist: 'Local ensemble transform Kalman filter.',
  },
  { ...letkfFields, assumed: assumedField },
);

export type LetkfSettings = SettingsOf<typeof letkfSchema>;
