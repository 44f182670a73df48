/** The stochastic EnKF, as a kind of method, and what filters with its gain are made of. */
import { defineMethod, TANGENT_ENTRIES, type MethodParts } from '../definition.ts';
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
import { createEnkf } from './enkf.ts';
import { createPerturbedObservations } from './perturbed-observations.ts';
import { enkfSchema, type EnkfSettings } from './settings.ts';
import { gainColumns } from './tapered-gain.ts';

export { createEnkf, type DepartureParts, type MemberDepartures } from './enkf.ts';
export { gainFilterFields } from './settings.ts';

/** What a filter with the tapered gain says of itself, whatever its members are compared with. */
export const gainFilter = {
  carries: 'ensemble',
  assimilates: true,
  trustsSpread: true,
  takesErrors: takenErrors,
  // Its gain is solved as one dense system.
  mostObservations: 4096,
  problems: filterProblems,
  warnings: (settings, situation) => [
    ...filterWarnings(settings, situation),
    ...errorCorrelationWarnings(settings.errorCorrelation, situation),
  ],
  memory(settings, { cells, state, members, observations, elementBytes }, situation) {
    const solve = observations ** 2 + 3 * members * observations + TANGENT_ENTRIES * observations;
    const columns = gainColumns(observations, state * elementBytes);
    const additive = additiveMemory(settings, cells, state, members);
    const adaptive = adaptiveMemory(settings, members * observations);
    // Columns, C and L.
    const together = settings.errorCorrelation === 'full' ? 3 * correlatedEntries(situation) + observations : 0;
    // L⁻¹ beside them.
    const whole = wholeErrorsCost(settings.errorCorrelation, situation);
    const elements = 2 * members * state + (1 + columns) * state + cells + solve + additive + adaptive + together;
    return { elements: elements + whole.elements, hostBytes: whole.hostBytes };
  },
  // The forecast as the analysis has inflated it.
  asking: ({ adaptation }, { members, state }) => (adaptation.kind === 'none' ? 0 : members * state),
  effort({ errorCorrelation }, situation) {
    const { grid, variables, background, observations } = situation;
    const { members } = background;
    const whole = wholeErrorsCost(errorCorrelation, situation);
    const gain = 4 * variables.length * grid.nx * grid.ny * members * observations;
    const solve = observations ** 3 / 3 + 2 * observations ** 2 * members;
    return { each: gain + solve + whole.each, once: whole.once };
  },
  spreadSource: filterSpreadSource,
  proposal: (situation, others) => ({ ...proposedFilter(situation, others), ...proposedErrorCorrelation(situation) }),
  tuning: filterTuning,
} satisfies Omit<MethodParts<EnkfSettings>, 'appearance' | 'create'>;

export const enkf = defineMethod(enkfSchema, {
  ...gainFilter,
  shortTitle: 'EnKF',
  appearance: {
    shades: [
      ['#009e73', '#007a58'],
      ['#5fd9b4', '#005a3e'],
    ],
    dash: '10 3 2 3',
    marker: 'triangle',
  },
  create: (settings, context) => createEnkf(settings, context, createPerturbedObservations),
});
