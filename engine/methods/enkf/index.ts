/** The stochastic EnKF, as a kind of method, and what filters with its gain are made of. */
import { anomalies } from '../../operators/ensemble/index.ts';
import { segmentTable, standardNormal } from '../../operators/standard-normal/index.ts';
import { streamWords } from '../../random/stream.ts';
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
import type { MethodContext } from '../method.ts';
import { createEnkf, type DepartureParts, type MemberDepartures } from './enkf.ts';
import { gainColumns, enkfSchema, type EnkfSettings } from './tapered-gain.ts';

/**
 * Perturbed observations [burgers1998]: every member is compared with values that have one more error, drawn for it.
 *
 * R^−½ (y − H(x_l)) + ε_l with ε_l ~ N(0, I), or N(0, C) where R is taken whole. The perturbations are centred over the members so
 * that they leave the mean innovation alone. Their sample covariance is I, or C, on average, since it divides by k − 1 as that of
 * the states does.
 */
async function createPerturbedObservations(
  label: string,
  { backend, observations: { capacity }, members, seed, streamName = label }: MethodContext,
  { observedEnsemble, together, workspace }: DepartureParts,
): Promise<MemberDepartures> {
  const perturbations = backend.allocate(`${label}.perturbations`, 'real', members * capacity);
  const streams = backend.allocate(`${label}.streams`, 'index', segmentTable([], 1).length);
  const drawing = await backend.prepare(standardNormal, { length: members * capacity, segments: 1 });
  const centring = await backend.prepare(anomalies, { members, length: capacity });
  return {
    observed: observedEnsemble,
    perturbations,
    make(cycle, areTogether) {
      const { ensemble: drawn, mean } = workspace;
      const words = streamWords(seed, `methods.${streamName}.perturbations`, cycle);
      backend.write(streams, segmentTable([{ words, first: 0 }], 1));
      drawing.run({ streams, output: drawn });
      if (areTogether) {
        together?.correlate(drawn, perturbations);
        backend.copy(perturbations, drawn);
      }
      centring.run({ ensemble: drawn, mean, anomalies: perturbations });
    },
    dispose() {
      for (const owned of [perturbations, streams, drawing, centring]) owned.dispose();
    },
  };
}

export { createEnkf, type DepartureParts, type MemberDepartures } from './enkf.ts';
export { gainFilterFields } from './tapered-gain.ts';

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
