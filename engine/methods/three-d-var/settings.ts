/** The settings of 3D-Var. */
import { covarianceField } from '../covariances/index.ts';
import { methodSchema } from '../definition.ts';
import type { SettingsOf } from '../definition.ts';
import { assumedField } from '../shared/assumed.ts';
import { errorCorrelationField } from '../shared/error-correlation-setting.ts';
import { minimisationField } from '../variational/index.ts';

export const threeDVarSchema = methodSchema(
  '3dvar',
  {
    title: '3D-Var',
    description: 'Variational analysis of one state with a static background-error covariance.',
    gist: 'Variational analysis with a static background-error covariance.',
  },
  {
    covariance: covarianceField,
    errorCorrelation: errorCorrelationField(
      'R is whole in J; its Cholesky factor multiplies what is observed at every iteration.',
    ),
    minimisation: minimisationField,
    assumed: assumedField,
  },
);

export type ThreeDVarSettings = SettingsOf<typeof threeDVarSchema>;
