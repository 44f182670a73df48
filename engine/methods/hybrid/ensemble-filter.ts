/** The filter that keeps the hybrid's ensemble: an LETKF or an EnKF with the settings that it has as a method. */
import { z } from 'zod';
import { definitionsByKind } from '../../settings/index.ts';
import type { Situation } from '../../settings/index.ts';
import type { MethodDefinition } from '../definition.ts';
import { enkf } from '../enkf/index.ts';
import { wholeErrorsCost } from '../shared/error-correlation-setting.ts';
import type { WholeErrorsCost } from '../shared/error-correlation-setting.ts';
import { letkf } from '../letkf/index.ts';
import type { Method, MethodContext } from '../method.ts';

/** The method's settings without its label and what it assumes: it goes by the hybrid's. */
const ofLetkf = letkf.schema.omit({ label: true, assumed: true }).meta(letkf.schema.meta() ?? {});
const ofEnkf = enkf.schema.omit({ label: true, assumed: true }).meta(enkf.schema.meta() ?? {});

export const ensembleFilterField = z.discriminatedUnion('kind', [ofLetkf, ofEnkf]).prefault({ kind: 'letkf' }).meta({
  title: 'Ensemble',
  description: 'The filter that keeps the members, from which the hybrid has the errors of the day.',
});

export type EnsembleFilter = z.output<typeof ensembleFilterField>;

type AnyFilter = MethodDefinition<EnsembleFilter & { readonly label: string }>;

/** @returns the definition of a filter, for settings of its kind */
export const filterDefinition = definitionsByKind<AnyFilter>([letkf, enkf]);

/** What a filter spares inside a hybrid, which measures its own departures. */
export function sparedCost(settings: EnsembleFilter, situation: Situation): WholeErrorsCost {
  return wholeErrorsCost(settings.kind === 'enkf' ? settings.errorCorrelation : 'ignored', situation);
}

/** @throws LimitError when a field does not fit the backend */
export function createFilter(settings: EnsembleFilter, label: string, context: MethodContext): Promise<Method> {
  return filterDefinition(settings.kind).create({ ...settings, label }, { ...context, measuresDepartures: false });
}
