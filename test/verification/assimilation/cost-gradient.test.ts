/**
 * The gradient of 3D-Var's cost function against finite differences (Taylor's test), in float64: float32 has not the digits
 * for six decades, and its operators are held to these by their own adjoint tests.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend } from '../../../engine/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { createControlTransform } from '../../../engine/methods/covariances/index.ts';
import { dot, norm, plus } from './dense.ts';
import { between, normals } from '../../setup/random.ts';
import { basin, lengthOf, PHYSICS, contextOf, variational } from './set-up.ts';
import type { CovarianceInput, Observed } from './set-up.ts';

const SIZE = { nx: 8, ny: 7 };
const COUNT = 24;

/** A flowing background, so that a speed is nowhere near 0, where it has no derivative. */
function background(cells: number): Float64Array {
  return Float64Array.from([
    ...between(cells, -0.05, 0.05, 'background.eta'),
    ...between(cells, 0.2, 0.4, 'background.hu'),
    ...between(cells, -0.3, -0.1, 'background.hv'),
  ]);
}

function observedAs(variables: readonly string[]): Observed {
  return {
    x: between(COUNT, 0, SIZE.nx - 1, 'x'),
    y: between(COUNT, 0, SIZE.ny - 1, 'y'),
    variable: Array.from({ length: COUNT }, (_, j) => variables[j % variables.length]),
    values: between(COUNT, 0.1, 0.4, 'values').map((value, j) =>
      variables[j % variables.length] === 'h' ? 0.8 + value : value,
    ),
    inverseErrorStd: between(COUNT, 5, 20, 'inverseErrorStd'),
  };
}

/** J(v) = ½vᵀv + ½‖R^−½(y − H(x_b + V v))‖² and its gradient, of the operators that the method uses. */
async function costFunction(backend: Backend, settings: CovarianceInput, variables: readonly string[]) {
  const model = basin(SIZE);
  const given = variational({ length: 3, standardDeviation: { h: 0.02, hu: 0.03, hv: 0.03 }, ...settings });
  const transform = await createControlTransform(backend, model, given.covariance, PHYSICS);
  const observed = observedAs(variables);
  const { observations } = await contextOf(backend, model, observed, 2);
  const tangent = observations.linearised('test');
  const control = backend.allocate('control', 'real', transform.length);
  const state = backend.allocate('state', 'real', lengthOf(model));
  const seen = backend.allocate('seen', 'real', COUNT);
  const start = background(SIZE.nx * SIZE.ny);

  /** Leaves x_b + V v in `state`. */
  async function residualsAt(v: Float64Array): Promise<Float64Array> {
    backend.write(control, v);
    transform.apply(control, state);
    backend.write(state, plus(start, await backend.read(state)));
    observations.observe(state, 1, seen);
    const h = await backend.read(seen);
    return h.map((value, j) => observed.inverseErrorStd[j] * (observed.values[j] - value));
  }
  return {
    length: transform.length,
    cost: async (v: Float64Array): Promise<number> => {
      const residuals = await residualsAt(v);
      return 0.5 * dot(v, v) + 0.5 * dot(residuals, residuals);
    },
    gradient: async (v: Float64Array): Promise<Float64Array> => {
      const residuals = await residualsAt(v);
      tangent.linearise(state);
      backend.write(seen, residuals);
      tangent.adjoint(seen, state);
      transform.applyAdjoint(state, control);
      return plus(v, await backend.read(control), -1);
    },
  };
}

const STEPS = Array.from({ length: 7 }, (_, decade) => 10 ** -decade);

const cases = [
  ['H linear (h, η, hu, hv)', ['h', 'eta', 'hu', 'hv'], { kind: 'recursive-filter' }],
  ['H linear, balanced covariance', ['h', 'hu', 'hv'], { kind: 'recursive-filter', balance: 'geostrophic' }],
  ['H linear, Gaussian covariance', ['h', 'eta', 'hu', 'hv'], { kind: 'gaussian' }],
  ['H nonlinear (u, v, speed)', ['u', 'v', 'speed'], { kind: 'recursive-filter' }],
  ['H nonlinear, balanced covariance', ['speed', 'u'], { kind: 'gaussian', balance: 'geostrophic' }],
] as const;

describe('gradient of J against finite differences', () => {
  let backend: Backend;
  beforeAll(() => {
    backend = createReferenceBackend();
  });
  afterAll(() => backend.dispose());

  it.each(cases)('(J(v + αp) − J(v)) / α⟨∇J, p⟩ → 1 over six decades of α: %s', async (_, variables, covariance) => {
    const { length, cost, gradient } = await costFunction(backend, covariance, variables);
    const v = normals(length, 'v').map((value) => 0.5 * value);
    const slopes = await gradient(v);
    // Half along the gradient, so that what it misjudges weighs, and half across it, so that a wrong direction shows.
    const across = normals(length, 'direction');
    const direction = plus(across, slopes, norm(across) / norm(slopes)).map((value) => 0.3 * value);
    const slope = dot(slopes, direction);
    const base = await cost(v);
    const errors: number[] = [];
    for (const step of STEPS) errors.push(((await cost(plus(v, direction, step))) - base) / (step * slope) - 1);
    // The ratio is 1 + cα + O(α²), c half the curvature over the slope: each decade of α leaves a tenth of the error. A wrong
    // gradient leaves a constant. At α = 1e-6 the rounding of J, some ε J = 1e-13, is 1e-7 |slope|⁻¹ of the ratio: 1 % of cα.
    for (let decade = 1; decade < STEPS.length; decade++) {
      expect(errors[decade] / errors[decade - 1], `α = ${STEPS[decade]}`).toBeGreaterThan(0.095);
      expect(errors[decade] / errors[decade - 1], `α = ${STEPS[decade]}`).toBeLessThan(0.105);
    }
    expect(Math.abs(errors[6])).toBeLessThan(1e-5);
  });
});
