/** The LETKF, as a kind of method. */
import { lengthUnit, tidy, type Problem, type Situation } from '../../settings/index.ts';
import { defineMethod } from '../definition.ts';
import { additiveMemory } from '../shared/additive-inflation.ts';
import {
  filterProblems,
  filterSpreadSource,
  filterTuning,
  filterWarnings,
  proposedFilter,
} from '../shared/ensemble-filter.ts';
import {
  correlatedEntries,
  errorCorrelationWarnings,
  proposedErrorCorrelation,
  takenErrors,
  wholeErrorsCost,
} from '../shared/error-correlation-setting.ts';
import { adaptiveMemory } from '../shared/inflation.ts';
import { localObservations } from '../shared/localisation.ts';
import { rotationMemory } from '../shared/relaxation.ts';
import { MAXIMUM_MISFIT_OBSERVATIONS, createLetkf, letkfSchema, type LetkfSettings } from './letkf.ts';

export { createLetkf, letkfFields, localFields, type LetkfSettings } from './letkf.ts';

type Weights = LetkfSettings['weights'];

/** @returns places at which weights are computed, about: between walls there is one more along an axis */
function nodesOf({ every }: Weights, { nx, ny }: Situation['grid']): number {
  return Math.ceil(nx / every) * Math.ceil(ny / every);
}

/** Weights that are computed farther apart than they vary. */
export function weightWarnings(
  { weights: { every }, localisation: { halfWidth } }: Pick<LetkfSettings, 'weights' | 'localisation'>,
  situation: Situation,
): Problem[] {
  const apart = every * Math.max(situation.grid.dx, situation.grid.dy);
  if (every === 1 || apart <= halfWidth) return [];
  const unit = lengthUnit(situation.model);
  const message = `weights are computed ${tidy(apart)}${unit} apart, which is more than the half-width of ${halfWidth}${unit}: between them observations are passed over`;
  return [{ path: ['weights', 'every'], message }];
}

export const letkf = defineMethod(letkfSchema, {
  appearance: {
    shades: [
      ['#56b4e9', '#0b6fa8'],
      ['#9fd6f5', '#08527d'],
      ['#cc79a7', '#a34578'],
    ],
    dash: '',
    marker: 'circle',
  },
  carries: 'ensemble',
  assimilates: true,
  trustsSpread: true,
  localAnalyses: ({ localisation: { halfWidth }, weights: { every }, adaptation }) => ({
    halfWidth,
    every,
    findsInflation: adaptation.kind === 'local',
  }),
  takesErrors: takenErrors,
  problems: filterProblems,
  warnings: (settings, situation) => [
    ...filterWarnings(settings, situation),
    ...weightWarnings(settings, situation),
    ...errorCorrelationWarnings(settings.errorCorrelation, situation),
  ],
  memory(settings, { cells, state, members, observations }, situation) {
    const { rotation, adaptation, relaxation, weights } = settings;
    const ensemble = members * state;
    const isMisfitKnown = observations <= MAXIMUM_MISFIT_OBSERVATIONS;
    const misfit = isMisfitKnown ? observations ** 2 + members * observations : 0;
    const turning = rotationMemory(rotation, members, state);
    const isGlobal = adaptation.kind !== 'none' && adaptation.kind !== 'local';
    const background = isGlobal && relaxation.kind !== 'none' ? ensemble : 0;
    const factors = adaptation.kind === 'local' ? 3 * nodesOf(weights, situation.grid) : 0;
    const nodes = weights.every > 1 ? 2 * members ** 2 * nodesOf(weights, situation.grid) : 0;
    const additive = additiveMemory(settings, cells, state, members);
    const adaptive = adaptiveMemory(settings, members * observations);
    const elements = ensemble + members * observations + misfit + turning + background + nodes + factors;
    // Columns, C and L, and L⁻¹ beside them.
    const together = settings.errorCorrelation === 'full' ? 3 * correlatedEntries(situation) + observations : 0;
    const whole = wholeErrorsCost(settings.errorCorrelation, situation);
    return { elements: elements + additive + adaptive + together + whole.elements, hostBytes: whole.hostBytes };
  },
  // The forecast as the analysis has inflated it.
  asking: ({ adaptation }, { members, state }) =>
    adaptation.kind === 'none' || adaptation.kind === 'local' ? 0 : members * state,
  effort(settings, situation) {
    const { grid, variables } = situation;
    const { members } = situation.background;
    const { weights } = settings;
    const local = localObservations(settings, situation);
    const order = Math.min(local, members);
    // G or its primal counterpart, its tridiagonal form, and a dozen poles.
    const transform = order * local * members + 2 * order ** 3;
    const isEvery = weights.every === 1;
    const analyses =
      nodesOf(weights, grid) * (transform + 4 * (isEvery ? variables.length : members) * members * order);
    const interpolation = isEvery ? 0 : grid.nx * grid.ny * members ** 2 * (3 + 2 * variables.length);
    const whole = wholeErrorsCost(settings.errorCorrelation, situation);
    const isWhole = settings.errorCorrelation === 'full';
    const whitening = isWhole ? nodesOf(weights, grid) * (local ** 3 / 3 + local ** 2 * members) : 0;
    return { each: analyses + interpolation + whitening + whole.each, once: whole.once };
  },
  spreadSource: filterSpreadSource,
  proposal: (situation, others) => ({ ...proposedFilter(situation, others), ...proposedErrorCorrelation(situation) }),
  tuning: filterTuning,
  create: (settings, context) => createLetkf(settings, context),
});
