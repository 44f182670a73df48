/** The settings of the LETKF. */
import { toggle } from '../../settings/index.ts';
import { methodSchema } from '../definition.ts';
import type { SettingsOf } from '../definition.ts';
import { filterFields } from '../shared/ensemble-filter.ts';

export const letkfSchema = methodSchema(
  'letkf',
  {
    title: 'LETKF',
    description: 'Local ensemble transform Kalman filter.',
    gist: 'Local ensemble transform Kalman filter.',
  },
  {
    ...filterFields,
    rotation: toggle({
      title: 'Rotation',
      description: 'Turns the anomalies at random after each analysis, keeping mean and covariance.',
      default: false,
    }),
  },
);

export type LetkfSettings = SettingsOf<typeof letkfSchema>;
