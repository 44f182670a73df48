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
import {
  isLinearlyObserved,
  observedVariableNames,
  bilinearStencil,
  observedVariable,
  type InterpolationGrid,
} from '../../operators/observation/index.ts';
import { boundaryOf, describeValue, listWords, quantity, type Problem, type Situation } from '../../settings/index.ts';
import type { RealField } from '../../compute/backend.ts';
import {
  separableConvolution2d,
  bandOfTaps,
  bandProduct,
  eachLine,
  linesAlong,
  type Taps,
} from '../../operators/convolution/index.ts';
import { perturbation } from '../../operators/ensemble/index.ts';
import { gaspariCohn } from '../../operators/localisation/index.ts';
import {
  defineMethod,
  HOST_BYTES,
  TANGENT_ENTRIES,
  methodSchema,
  shareTuning,
  type SettingsOf,
} from '../definition.ts';
import { halfWidthTuning, localisationWarnings, localisation, proposedHalfWidth } from '../shared/localisation.ts';
import { elementOf, explainWith, variableOf, type Influence, type MethodQuestion } from '../explanation.ts';
import { observesAlike, type Method, type MethodContext, type ObservedPositions } from '../method.ts';
import { assumedTimesField } from '../shared/error-correlation-setting.ts';
import { createEnsembleState } from '../shared/ensemble-state.ts';
import { incrementAt } from '../shared/explaining.ts';
import { createWetIncrement } from '../shared/wet-increment.ts';

/** The settings of nudging. */
const nudgingSchema = methodSchema(
  'nudging',
  {
    title: 'Nudging',
    description: 'Newtonian relaxation of one state towards the observations around each grid point.',
    gist: 'Newtonian relaxation towards the observations.',
  },
  {
    localisation,
    strength: quantity({
      title: 'Strength',
      description:
        'Share of the departures that one analysis takes up: 1 − exp(−window/τ) for a relaxation time τ; 1 for all of them.',
      above: 0,
      maximum: 1,
      default: 0.5,
    }),
    assumed: assumedTimesField,
  },
);

type NudgingSettings = SettingsOf<typeof nudgingSchema>;

/** Whether an observation is there, and of what a state variable can be drawn to. */
function usedObservations({ variable, inverseErrorStd }: ObservedPositions): readonly boolean[] {
  return variable.map((name, j) => inverseErrorStd[j] > 0 && isLinearlyObserved(name));
}

/**
 * @param tapsX, tapsY of C, which is their product
 * @returns M, 0 for observations that are not used
 */
function observationDensity(
  grid: InterpolationGrid,
  tapsX: Taps,
  tapsY: Taps,
  positions: ObservedPositions,
): Float64Array {
  const { nx, ny, periodicX, periodicY } = grid;
  const { corners, weights } = bilinearStencil(grid, positions.x, positions.y);
  const used = usedObservations(positions);
  const components = positions.variable.map((name) => observedVariable(name).components[0]);
  const [bandX, bandY] = [bandOfTaps(nx, tapsX, periodicX), bandOfTaps(ny, tapsY, periodicY)];
  const alongX = eachLine(linesAlong(ny, nx, 1), (lanes) => bandProduct(bandX, lanes));
  const alongY = eachLine(linesAlong(1, ny, nx), (lanes) => bandProduct(bandY, lanes));
  const density = new Float64Array(used.length);
  const [plane, between] = [new Float64Array(nx * ny), new Float64Array(nx * ny)];
  for (const component of new Set(components)) {
    const own = used.flatMap((isUsed, j) => (isUsed && components[j] === component ? [j] : []));
    plane.fill(0);
    for (const j of own) for (let a = 4 * j; a < 4 * j + 4; a++) plane[corners[a]] += weights[a];
    alongX(plane, between);
    alongY(between, plane);
    for (const j of own) for (let a = 4 * j; a < 4 * j + 4; a++) density[j] += weights[a] * plane[corners[a]];
  }
  return density;
}

/**
 * @param halfWidthCells of the weight, above 0
 * @param cells of the axis; a point has each of the others at most once, on a periodic axis by the shorter way round
 */
export function gaspariCohnTaps(halfWidthCells: number, cells: number, periodic: boolean): Taps {
  const reach = Math.ceil(2 * halfWidthCells) - 1;
  const lower = Math.min(reach, periodic ? Math.floor((cells - 1) / 2) : cells - 1);
  const upper = Math.min(reach, periodic ? Math.floor(cells / 2) : cells - 1);
  const taps = Array.from({ length: lower + 1 + upper }, (_, q) => gaspariCohn(Math.abs(q - lower) / halfWidthCells));
  return { taps, lower };
}

/** Whether the observations that two cycles use are at the same places. */
function weighAlike(a: ObservedPositions | undefined, b: ObservedPositions): boolean {
  const { inverseErrorStd } = b;
  return observesAlike(a, b) && a.inverseErrorStd.every((value, j) => value > 0 === inverseErrorStd[j] > 0);
}

async function createNudging(method: NudgingSettings, context: MethodContext): Promise<Method> {
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

/** Observations that are omitted, and quality control that has only the observations' errors to judge by. */
function observationWarnings({ networks }: Situation): Problem[] {
  const names = [...new Set(networks.map(({ variable }) => variable))];
  const unused = names.filter((name) => !isLinearlyObserved(name)).map(describeValue);
  const used = observedVariableNames.filter((name) => isLinearlyObserved(name)).map(describeValue);
  const warnings: Problem[] = [];
  if (unused.length > 0) {
    const message = `observations of ${listWords(unused, 'and')} are not used; a state is nudged to those of ${listWords(used, 'and')}`;
    warnings.push({ path: [], message });
  }
  if (networks.some(({ variable, qualityControl }) => qualityControl > 0 && isLinearlyObserved(variable))) {
    const message =
      'nudging states no error of its background, so that quality control rejects what is beyond the observations’ own errors';
    warnings.push({ path: [], message });
  }
  return warnings;
}

export const nudging = defineMethod(nudgingSchema, {
  appearance: {
    shades: [
      ['#b39ddb', '#6a4fa3'],
      ['#d7c8f0', '#4a3480'],
    ],
    dash: '3 2 8 2',
    marker: 'star',
  },
  carries: 'state',
  assimilates: true,
  trustsSpread: false,
  warnings: (settings, situation) => [...localisationWarnings(settings, situation), ...observationWarnings(situation)],
  // Increment, what is spread and what is between the two passes of it; the tangent linear, and its weights.
  memory: (_settings, { cells, state, observations }) => ({
    elements: 3 * state + (TANGENT_ENTRIES + 2) * observations,
    hostBytes: 2 * cells * HOST_BYTES,
  }),
  effort({ localisation: { halfWidth } }, { grid, model, variables }) {
    const { nx, ny, dx, dy } = grid;
    const { x, y } = boundaryOf(model);
    const taps = [
      gaspariCohnTaps(halfWidth / dx, nx, x === 'periodic'),
      gaspariCohnTaps(halfWidth / dy, ny, y === 'periodic'),
    ];
    const width = taps.reduce((sum, { taps: weights }) => sum + weights.length, 0);
    return { each: 2 * variables.length * nx * ny * width, once: 0 };
  },
  proposal: (situation) => ({ localisation: { halfWidth: proposedHalfWidth(situation) } }),
  tuning: (settings, situation) => ({ settings: [shareTuning('strength'), ...halfWidthTuning(settings, situation)] }),
  create: createNudging,
});
