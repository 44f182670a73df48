/** The IEnKS, as a kind of method. */
import type { Problem, Situation } from '../../settings/index.ts';
import { defineMethod } from '../definition.ts';
import { around } from '../tuning.ts';
import { createIenks, ienksSchema, type IenksSettings } from './ienks.ts';

/** Operations of a step of a cell, about. */
const STEP_OPERATIONS = 200;
/** Iterations of an analysis where the window is not linear, about. */
const USUAL_ITERATIONS = 3;
/** Inflation that is proposed, and the least above 1 that is worth a run. */
const PROPOSED_INFLATION = 1.08;
const LEAST_INFLATION = 1.0025;

/** A basin has more waves than there are members; on a ring some twenty are enough. */
function warnings(
  { inflation }: IenksSettings,
  { model, background: { members }, observations }: Situation,
): Problem[] {
  const found: Problem[] = [];
  if (model.boundary && observations >= members) {
    const message = `has no localisation: ${members} members fit ${members - 1} directions to up to ${observations} observations`;
    found.push({ path: [], message });
  }
  if (inflation === 1) found.push({ path: ['inflation'], message: '1: the spread will fall below the error' });
  return found;
}

export const ienks = defineMethod(ienksSchema, {
  appearance: {
    shades: [
      ['#8fb8ff', '#2b5bb5'],
      ['#c0d6ff', '#1d3f80'],
    ],
    dash: '5 2 5 2 14 2',
    marker: 'octagon',
  },
  carries: 'ensemble',
  assimilates: true,
  trustsSpread: true,
  smooths: true,
  takesErrors: () => 'independent',
  warnings,
  memory({ lag }, { members, state, observations }, { moments }) {
    // The members of each cycle and the truth of then; mean, anomalies and work space; what members observe, inside the window too.
    const kept = lag * (members + 1) * state;
    const seen = (moments > 0 ? 3 : 1) * members * observations;
    return { elements: kept + (2 * members + 1) * state + seen + members ** 2 };
  },
  effort({ lag, minimisation }, { grid, variables, steps, background, observations }) {
    const { members } = background;
    const cells = grid.nx * grid.ny;
    const iterations = Math.min(USUAL_ITERATIONS, minimisation.maxIterations);
    const moving = lag * steps * STEP_OPERATIONS * members * cells + 2 * members ** 2 * variables.length * cells;
    return { each: iterations * (moving + 4 * members ** 2 * observations), once: 0 };
  },
  spreadSource: ({ inflation }) =>
    inflation > 1 ? { what: `inflation ${inflation}`, remedy: 'Lower it.' } : undefined,
  proposal: () => ({ inflation: PROPOSED_INFLATION }),
  tuning: ({ inflation }) => ({
    settings: [
      around({ path: 'inflation', present: inflation, factor: 4, origin: 1, least: LEAST_INFLATION, most: 100 }),
    ],
    larger: 'more inflation',
    smaller: 'less inflation',
  }),
  create: createIenks,
});
