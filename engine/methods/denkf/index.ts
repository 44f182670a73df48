/** The deterministic EnKF [sakov2008], as a kind of method: the gain of the EnKF, and half of it for the anomalies. */
import { inflation } from '../../operators/ensemble/index.ts';
import { defineMethod, methodSchema } from '../definition.ts';
import { createEnkf, gainFilter, gainFilterFields, type DepartureParts, type MemberDepartures } from '../enkf/index.ts';
import type { MethodContext } from '../method.ts';

/**
 * Departures from halfway between what a member sees and what is seen on average, ȳ: with x̄ ← x̄ + K (y − ȳ) and
 * X′ ← X′ − ½ K Y′, a member moves by K (y − ȳ − ½ y′_l) = K (y − ½ (ȳ + y_l)).
 */
async function createHalvedDepartures(
  label: string,
  { backend, observations: { capacity }, members }: MethodContext,
  { observedEnsemble }: DepartureParts,
): Promise<MemberDepartures> {
  const observed = backend.allocate(`${label}.halfway`, 'real', members * capacity);
  const perturbations = backend.allocate(`${label}.perturbations`, 'real', members * capacity);
  backend.write(perturbations, new Float64Array(members * capacity));
  const halving = await backend.prepare(inflation, { members, length: capacity, factor: 0.5 });
  return {
    observed,
    perturbations,
    make() {
      backend.copy(observedEnsemble, observed);
      halving.run({ ensemble: observed });
    },
    dispose() {
      for (const owned of [observed, perturbations, halving]) owned.dispose();
    },
  };
}

const denkfSchema = methodSchema(
  'denkf',
  {
    title: 'Deterministic EnKF',
    description: 'Ensemble Kalman filter without random numbers: the mean moves by the gain, anomalies by half of it.',
    gist: 'Ensemble Kalman filter that moves anomalies by half of its gain.',
  },
  gainFilterFields('R is whole in the gain, and innovations are expected to have HPHᵀ + R.'),
);

export const denkf = defineMethod(denkfSchema, {
  ...gainFilter,
  shortTitle: 'DEnKF',
  appearance: {
    shades: [
      ['#b8d94a', '#5c7300'],
      ['#d7ec8f', '#465800'],
    ],
    dash: '6 2 2 2 2 2',
    marker: 'pentagon',
  },
  memory(settings, sizes, situation) {
    const { elements, hostBytes } = gainFilter.memory(settings, sizes, situation);
    return { elements: elements + sizes.members * sizes.observations, hostBytes };
  },
  create: (settings, context) => createEnkf(settings, context, createHalvedDepartures),
});
