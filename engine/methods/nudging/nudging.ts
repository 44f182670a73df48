/**
 * Nudging: the state is drawn towards the observations around it, ∂x/∂t = M(x) + G W (y − H x) [hoke1976], here by one step at each
 * analysis,
 *
 *   x ← x + γ C Hᵀ M⁻¹ (y − H x),   M = diag(H C Hᵀ 1),
 *
 * γ = 1 − exp(−window·G) the strength, C the weight of a grid point by its distance from an observation: a Gaspari–Cohn function
 * [gaspari1999] along each axis. M, the density of the observations at each of them [bratseth1986], keeps many from pulling
 * together. With it 1ᵀ (y − H x) becomes 1 − γ times what it was, and no γ up to 1 overshoots: H C Hᵀ M⁻¹ is the transpose of a
 * stochastic matrix.
 *
 * It knows no errors, neither the background's nor the observations', and hence carries one state: the spread of an ensemble that
 * is drawn to the same observations would say nothing. What is observed of a state variable nudges that variable; velocities and
 * speeds are no state variables and are omitted. An observation that quality control rejects counts as one without a departure.
 */
import type { RealField } from '../../compute/backend.ts';
import { separableConvolution2d } from '../../operators/convolution/index.ts';
import { perturbation } from '../../operators/ensemble/index.ts';
import { elementOf, explainWith, variableOf } from '../explanation.ts';
import type { Influence, MethodQuestion } from '../explanation.ts';
import type { Method, MethodContext, ObservedPositions } from '../method.ts';
import { incrementAt } from '../shared/elements.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { observesAlike } from '../shared/observes-alike.ts';
import { createWetIncrement } from '../shared/wet-increment.ts';
import { gaspariCohnTaps } from './gaspari-cohn-taps.ts';
import { observationDensity } from './observation-density.ts';
import type { NudgingSettings } from './settings.ts';

/** Whether what is used of two cycles' observations lies in the same places. */
function weighAlike(a: ObservedPositions | undefined, b: ObservedPositions): boolean {
  const { inverseErrorStd } = b;
  return observesAlike(a, b) && a.inverseErrorStd.every((value, j) => value > 0 === inverseErrorStd[j] > 0);
}

export async function createNudging(method: NudgingSettings, context: MethodContext): Promise<Method> {
  const { backend, model, observations, positions } = context;
  const { nx, ny, dx, dy, periodicX, periodicY } = model.grid;
  const { capacity } = observations;
  const { halfWidth } = method.localisation;
  const tapsX = gaspariCohnTaps(halfWidth / dx, nx, periodicX);
  const tapsY = gaspariCohnTaps(halfWidth / dy, ny, periodicY);
  const ensemble = await createEnsembleState(method.label, context, 1);
  const { state, departures, length } = ensemble;
  const tangent = observations.linearised(method.label);
  const wet = await createWetIncrement(context);
  const spreading = await backend.prepare(separableConvolution2d, {
    nx,
    ny,
    batch: model.variables.length,
    tapsX,
    tapsY,
    boundaryX: periodicX ? 'periodic' : 'zero',
    boundaryY: periodicY ? 'periodic' : 'zero',
    transpose: false,
  });
  const adding = await backend.prepare(perturbation, { members: 1, length });
  const fields = {
    weight: backend.allocate(`${method.label}.weight`, 'real', capacity),
    atObservations: backend.allocate(`${method.label}.atObservations`, 'real', length),
    increment: backend.allocate(`${method.label}.increment`, 'real', length),
    row: backend.allocate(`${method.label}.row`, 'real', capacity),
  };
  let known: ObservedPositions | undefined;

  /** γ M⁻¹, 0 for observations that are not used. [capacity] */
  function weightsOf(observed: ObservedPositions): Float64Array {
    const density = observationDensity(model.grid, tapsX, tapsY, observed);
    return Float64Array.from({ length: capacity }, (_, j) => (density[j] > 0 ? method.strength / density[j] : 0));
  }

  /** γ eᵀ C Hᵀ M⁻¹ times the innovations: C, which is symmetric, spreads the unit vector e of the element. */
  async function influence(question: MethodQuestion<'influence'>, forecast: RealField): Promise<Influence> {
    const { atObservations, increment, weight, row } = fields;
    const element = elementOf(model, question);
    const { unit } = variableOf(model, question.variable);
    const { x } = positions();
    const made = await incrementAt(backend, { forecast, analysis: state }, { members: 1, length }, element);
    if (x.length === 0) return { contributions: new Float64Array(0), increment: made, unit };
    const vector = new Float64Array(length);
    vector[element] = 1;
    backend.write(atObservations, vector);
    wet.project(atObservations, forecast);
    spreading.run({ input: atObservations, output: increment });
    tangent.linearise(forecast, weight);
    tangent.product(increment, row);
    const [gains, innovations] = [await backend.read(row), await backend.read(departures.innovation)];
    const contributions = Float64Array.from({ length: x.length }, (_, j) => gains[j] * innovations[j]);
    return { contributions, increment: made, unit };
  }

  return {
    label: method.label,
    kind: method.kind,
    members: 1,
    state,
    departures,
    initialise: ensemble.initialise,
    explain: explainWith({ influence }),
    analyse() {
      const { weight, atObservations, increment } = fields;
      const observed = positions();
      if (!weighAlike(known, observed)) {
        backend.write(weight, weightsOf(observed));
        known = observed;
      }
      tangent.linearise(state, weight);
      tangent.adjoint(departures.innovation, atObservations);
      spreading.run({ input: atObservations, output: increment });
      wet.project(increment, state);
      adding.run({ noise: increment, ensemble: state });
      return Promise.resolve({ report: () => Promise.resolve({}) });
    },
    dispose() {
      for (const owned of [ensemble, tangent, wet, spreading, adding, ...Object.values(fields)]) owned.dispose();
    },
  };
}
