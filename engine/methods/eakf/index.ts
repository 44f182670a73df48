/** The serial filter, as a kind of method. */
import { defineMethod } from '../definition.ts';
import { additiveMemory } from '../shared/additive-inflation.ts';
import {
  filterProblems,
  filterSpreadSource,
  filterTuning,
  filterWarnings,
  proposedFilter,
} from '../shared/ensemble-filter.ts';
import { adaptiveMemory } from '../shared/inflation.ts';
import { localObservations } from '../shared/localisation.ts';
import { rotationMemory } from '../shared/relaxation.ts';
import { createEakf } from './eakf.ts';
import { eakfSchema } from './settings.ts';

export const eakf = defineMethod(eakfSchema, {
  shortTitle: 'EAKF',
  appearance: {
    shades: [
      ['#c8a07a', '#7d5320'],
      ['#dfc6aa', '#5e3d15'],
    ],
    dash: '14 3 6 3',
    marker: 'hexagon',
  },
  carries: 'ensemble',
  assimilates: true,
  trustsSpread: true,
  takesErrors: () => 'independent',
  problems: filterProblems,
  warnings: filterWarnings,
  memory(settings, { cells, state, members, observations }) {
    const turning = rotationMemory(settings.rotation, members, state);
    const additive = additiveMemory(settings, cells, state, members);
    const adaptive = adaptiveMemory(settings, members * observations);
    return { elements: members * state + (members + 5) * observations + turning + additive + adaptive };
  },
  // The forecast as the analysis has inflated it.
  asking: ({ adaptation }, { members, state }) => (adaptation.kind === 'none' ? 0 : members * state),
  effort(settings, situation) {
    const { grid, variables, background, observations } = situation;
    const { members } = background;
    const local = localObservations(settings, situation);
    const moved = variables.length * grid.nx * grid.ny + observations / 2;
    return { each: 4 * members * local * moved, once: 0 };
  },
  spreadSource: filterSpreadSource,
  proposal: proposedFilter,
  tuning: filterTuning,
  create: createEakf,
});
