/** The settings of the hybrid and of the filter that keeps its ensemble, and a hybrid that suits a scenario. */
import { cellLength, optionalSection, quantity, toggle, definitionsByKind } from '../../settings/index.ts';
import type { Situation } from '../../settings/index.ts';
import { covarianceField } from '../covariances/index.ts';
import { methodSchema, type SettingsOf, type MethodDefinition, type OtherMethod } from '../definition.ts';
import { enkf } from '../enkf/index.ts';
import { letkf } from '../letkf/index.ts';
import type { Method, MethodContext } from '../method.ts';
import { proposedFilter } from '../shared/ensemble-filter.ts';
import {
  errorCorrelationField,
  wholeErrorsCost,
  proposedErrorCorrelation,
  assumedField,
  type WholeErrorsCost,
} from '../shared/error-correlation-setting.ts';
import { halfWidthOf, NO_LOCALISATION, proposedHalfWidth, rounded } from '../shared/localisation.ts';
import { threeDVar } from '../three-d-var/index.ts';
import { minimisationField } from '../variational/index.ts';
import { z } from 'zod';

/** The method's settings without its label and what it assumes: it goes by the hybrid's. */
const ofLetkf = letkf.schema.omit({ label: true, assumed: true }).meta(letkf.schema.meta() ?? {});
const ofEnkf = enkf.schema.omit({ label: true, assumed: true }).meta(enkf.schema.meta() ?? {});

/** The filter that keeps the hybrid's ensemble: an LETKF or an EnKF with the settings that it has as a method. */
const ensembleFilterField = z.discriminatedUnion('kind', [ofLetkf, ofEnkf]).prefault({ kind: 'letkf' }).meta({
  title: 'Ensemble',
  description: 'The filter that keeps the members, from which the hybrid has the errors of the day.',
});

type EnsembleFilter = z.output<typeof ensembleFilterField>;

type AnyFilter = MethodDefinition<EnsembleFilter & { readonly label: string }>;

/** @returns the definition of a filter, for settings of its kind */
export const filterDefinition = definitionsByKind<AnyFilter>([letkf, enkf]);

/** What a filter spares inside a hybrid, which measures its own departures. */
export function sparedCost(settings: EnsembleFilter, situation: Situation): WholeErrorsCost {
  return wholeErrorsCost(settings.errorCorrelation, situation);
}

/** @throws LimitError when a field does not fit the backend */
export function createFilter(settings: EnsembleFilter, label: string, context: MethodContext): Promise<Method> {
  return filterDefinition(settings.kind).create({ ...settings, label }, { ...context, measuresDepartures: false });
}

const weight = (title: string, description: string) =>
  quantity({ title, description, minimum: 0, maximum: 100, default: 0.5 });

/** What a hybrid is set by beside its minimisation and what it assumes. */
export const hybridFields = {
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
      'On: after each analysis the members are moved together, so that their mean is the variational analysis. Off: the ensemble is what its filter alone makes of it, and the variational analysis has one more forecast, its own, about which scores and views have the members’ anomalies.',
    default: true,
  }),
  covariance: covarianceField,
  errorCorrelation: errorCorrelationField(
    'R is whole in J; its Cholesky factor multiplies what is observed at every iteration. The filter of the members has a setting of its own.',
  ),
};

export const hybridSchema = methodSchema(
  'hybrid',
  {
    title: 'Hybrid 3DEnVar',
    description: 'Variational analysis whose background errors are partly static and partly an ensemble’s.',
    gist: 'Variational analysis with a static and an ensemble’s covariance.',
  },
  { ...hybridFields, minimisation: minimisationField, assumed: assumedField },
);

export type HybridSettings = SettingsOf<typeof hybridSchema>;

/** L of the Gaussian that the Gaspari–Cohn function of half-width 1 is close to: both have the same curvature at 0. */
const GAUSSIAN_LENGTH = Math.sqrt(3 / 10);

/** @returns the covariance and the filter that other methods of the scenario have, or what grid, network and background suggest */
export function proposedHybrid(
  situation: Situation,
  others: readonly OtherMethod[],
): Readonly<Record<string, unknown>> {
  const filter = proposedFilter(situation, others);
  const halfWidth = halfWidthOf(filter) ?? proposedHalfWidth(situation);
  const length = halfWidth === NO_LOCALISATION ? halfWidth : rounded(GAUSSIAN_LENGTH * halfWidth);
  return {
    localisation: { length },
    ensemble: { kind: 'letkf', ...filter, ...proposedErrorCorrelation(situation) },
    ...threeDVar.proposal?.(situation, others),
  };
}
