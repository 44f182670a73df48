/** The settings of the hybrid. */
import { cellLength, optionalSection, quantity, toggle } from '../../settings/index.ts';
import { covarianceField } from '../covariances/index.ts';
import { methodSchema } from '../definition.ts';
import type { SettingsOf } from '../definition.ts';
import { assumedField } from '../shared/assumed.ts';
import { errorCorrelationField } from '../shared/error-correlation-setting.ts';
import { NO_LOCALISATION } from '../shared/localisation.ts';
import { minimisationField } from '../variational/index.ts';
import { ensembleFilterField } from './ensemble-filter.ts';

const weight = (title: string, description: string) =>
  quantity({ title, description, minimum: 0, maximum: 100, default: 0.5 });

export const hybridSchema = methodSchema(
  'hybrid',
  {
    title: 'Hybrid 3DEnVar',
    description: 'Variational analysis whose background errors are partly static and partly an ensemble’s.',
    gist: 'Variational analysis with a static and an ensemble’s covariance.',
  },
  {
    staticWeight: weight('Static weight', 'β_s, which multiplies the static covariance; 0 for none of it.'),
    ensembleWeight: weight('Ensemble weight', 'β_e, which multiplies the ensemble’s covariance; 0 for none of it.'),
    localisation: optionalSection(
      { title: 'Localisation', description: 'Taper on the covariance of the ensemble: exp(−r²/2L²) at distance r.' },
      {
        length: cellLength({
          title: 'Length',
          description: 'L of the taper exp(−r²/2L²); 1e9 for no localisation.',
          unit: 'm',
          above: 0,
          maximum: NO_LOCALISATION,
          cells: 4,
        }),
      },
    ),
    ensemble: ensembleFilterField,
    recentred: toggle({
      title: 'Recentred',
      description:
        'On: after each analysis the members are moved together, so that their mean is the hybrid’s analysis. Off: the ensemble is what its filter alone makes of it, and the hybrid’s analysis has one more forecast, its own, about which scores and views have the members’ anomalies.',
      default: true,
    }),
    covariance: covarianceField,
    errorCorrelation: errorCorrelationField(
      'R is whole in J; its Cholesky factor multiplies what is observed at every iteration. The filter of the members has a setting of its own.',
    ),
    minimisation: minimisationField,
    assumed: assumedField,
  },
);

export type HybridSettings = SettingsOf<typeof hybridSchema>;
