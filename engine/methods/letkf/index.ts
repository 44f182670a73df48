/** The LETKF, as a kind of method. */
import { defineMethod } from '../definition.ts';
import { filterSpreadSource, filterTuning, filterWarnings, proposedFilter } from '../shared/ensemble-filter.ts';
import { localObservations } from '../shared/localisation.ts';
import { MAXIMUM_MISFIT_OBSERVATIONS } from '../shared/misfit.ts';
import { createLetkf } from './letkf.ts';
import { letkfSchema } from './settings.ts';

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
  warnings: filterWarnings,
  memory({ rotation }, { state, members, observations }) {
    const ensemble = members * state;
    const isMisfitKnown = observations <= MAXIMUM_MISFIT_OBSERVATIONS;
    const misfit = isMisfitKnown ? observations ** 2 + members * observations : 0;
    const turning = rotation ? 2 * ensemble + state + members ** 2 : 0;
    return { elements: ensemble + members * observations + misfit + turning };
  },
  effort(settings, situation) {
    const { nx, ny } = situation.grid;
    const { members } = situation.background;
    const local = localObservations(settings, situation);
    const order = Math.min(local, members);
    // G or its primal counterpart, its tridiagonal form, and a dozen poles.
    const transform = order * local * members + 2 * order ** 3;
    return { each: nx * ny * (transform + 4 * situation.variables.length * members * order), once: 0 };
  },
  spreadSource: filterSpreadSource,
  proposal: proposedFilter,
  tuning: filterTuning,
  create: createLetkf,
});
