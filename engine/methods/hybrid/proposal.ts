/** A hybrid that suits a scenario, as a start for tuning. */
import type { Situation } from '../../settings/index.ts';
import type { OtherMethod } from '../definition.ts';
import { proposedFilter } from '../shared/ensemble-filter.ts';
import { proposedErrorCorrelation } from '../shared/error-correlation-setting.ts';
import { NO_LOCALISATION } from '../shared/localisation.ts';
import { proposedHalfWidth, rounded } from '../shared/proposed-length.ts';
import { threeDVar } from '../three-d-var/index.ts';
import { filterDefinition } from './ensemble-filter.ts';

/** L of the Gaussian that the Gaspari–Cohn function of half-width 1 is close to: both have the same curvature at 0. */
const GAUSSIAN_LENGTH = Math.sqrt(3 / 10);

function halfWidthOf(filter: Readonly<Record<string, unknown>>): number | undefined {
  const { localisation } = filter;
  if (typeof localisation !== 'object' || localisation === null || !('halfWidth' in localisation)) return undefined;
  return typeof localisation.halfWidth === 'number' ? localisation.halfWidth : undefined;
}

/** @returns the covariance and the filter that other methods of the scenario have, or what grid, network and background suggest */
export function proposedHybrid(
  situation: Situation,
  others: readonly OtherMethod[],
): Readonly<Record<string, unknown>> {
  const filter = proposedFilter(situation, others);
  const halfWidth = halfWidthOf(filter) ?? proposedHalfWidth(situation);
  const length = halfWidth === NO_LOCALISATION ? halfWidth : rounded(GAUSSIAN_LENGTH * halfWidth);
  // Of the filters the EnKF alone can have R whole, and not of as many observations as there may be.
  const errors = proposedErrorCorrelation(situation);
  const { mostObservations = Infinity } = filterDefinition('enkf');
  const isWhole = errors.errorCorrelation === 'full' && situation.observations <= mostObservations;
  return {
    localisation: { length },
    ensemble: isWhole ? { kind: 'enkf', ...filter, ...errors } : { kind: 'letkf', ...filter },
    ...threeDVar.proposal?.(situation, others),
  };
}
