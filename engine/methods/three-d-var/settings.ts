/** The settings of 3D-Var. */
import { count, optionalSection, quantity } from '../../settings/index.ts';
import { covarianceField } from '../covariances/index.ts';
import { methodSchema } from '../definition.ts';
import type { SettingsOf } from '../definition.ts';

export const threeDVarSchema = methodSchema(
  '3dvar',
  {
    title: '3D-Var',
    description: 'Variational analysis of one state with a static background-error covariance.',
    gist: 'Variational analysis with a static background-error covariance.',
  },
  {
    covariance: covarianceField,
    minimisation: optionalSection(
      { title: 'Minimisation', description: 'Conjugate gradients in control space.' },
      {
        tolerance: quantity({
          title: 'Tolerance',
          description: 'Stops when the residual has fallen to this share of the first one.',
          above: 0,
          below: 1,
          default: 1e-4,
        }),
        maxIterations: count({
          title: 'Most iterations',
          description: 'Stops after this many iterations in any case.',
          minimum: 1,
          maximum: 10_000,
          default: 60,
        }),
      },
    ),
  },
);

export type ThreeDVarSettings = SettingsOf<typeof threeDVarSchema>;
