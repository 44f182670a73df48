/** The cost function of 3D-Var and its gradient, made of the operators that the method uses; and Taylor's test of them. */
import type { Backend } from '../../compute/backend.ts';
import { createControlTransform } from '../../methods/covariances/index.ts';
import type { ErrorBlock } from '../../methods/index.ts';
import { createWhitenedErrors } from '../../methods/shared/whitened-errors.ts';
import { between, normals } from '../measures.ts';
import { dot, norm, plus } from './dense.ts';
import { basin, contextOf, lengthOf, PHYSICS, variational } from './set-up.ts';
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

/** The errors of the first half are correlated along a track, those of five more places between fixed places. */
export const TOGETHER: readonly ErrorBlock[] = [
  { first: 0, errors: { count: 12, between: (a, b) => Math.exp(-Math.abs(a - b) / 4) } },
  { first: 14, errors: { count: 5, between: (a, b) => (a === b ? 1 : 0.8 * Math.exp(-((a - b) ** 2) / 8)) } },
];

export interface CostFunction {
  /** Elements of the control vector. */
  readonly length: number;
  readonly cost: (v: Float64Array) => Promise<number>;
  readonly gradient: (v: Float64Array) => Promise<Float64Array>;
  dispose(): void;
}

/**
 * J(v) = ½vᵀv + ½‖R^−½(y − H(x_b + V v))‖² of a small rotating basin whose 24 observations are of these variables.
 *
 * @param correlated those whose errors are correlated, with R whole
 */
export async function createCostFunction(
  backend: Backend,
  settings: CovarianceInput,
  variables: readonly string[],
  correlated: readonly ErrorBlock[] = [],
): Promise<CostFunction> {
  const model = basin(SIZE);
  const given = variational({ length: 3, standardDeviation: { h: 0.02, hu: 0.03, hv: 0.03 }, ...settings });
  const transform = await createControlTransform(backend, model, given.covariance, PHYSICS);
  const observed = { ...observedAs(variables), correlated };
  const context = await contextOf(backend, model, observed, 2);
  const { observations } = context;
  const tangent = observations.linearised('check');
  const errors = createWhitenedErrors('check', context);
  await errors.follow(observations.inverseErrorStd);
  const control = backend.allocate('control', 'real', transform.length);
  const state = backend.allocate('state', 'real', lengthOf(model));
  const seen = backend.allocate('seen', 'real', COUNT);
  const white = backend.allocate('white', 'real', COUNT);
  const start = background(SIZE.nx * SIZE.ny);

  /** R^−½ (y − H(x)). Leaves x = x_b + V v in `state`. */
  async function residualsAt(v: Float64Array): Promise<Float64Array> {
    backend.write(control, v);
    transform.apply(control, state);
    backend.write(state, plus(start, await backend.read(state)));
    observations.observe(state, 1, seen);
    const h = await backend.read(seen);
    backend.write(
      seen,
      h.map((value, j) => observed.inverseErrorStd[j] * (observed.values[j] - value)),
    );
    errors.whiten(seen, white);
    return backend.read(white);
  }
  return {
    length: transform.length,
    cost: async (v) => {
      const residuals = await residualsAt(v);
      return 0.5 * dot(v, v) + 0.5 * dot(residuals, residuals);
    },
    gradient: async (v) => {
      await residualsAt(v);
      tangent.linearise(state);
      errors.whitenAdjoint(white, seen);
      tangent.adjoint(seen, state);
      transform.applyAdjoint(state, control);
      return plus(v, await backend.read(control), -1);
    },
    dispose() {
      for (const owned of [tangent, transform, errors, control, state, seen, white, context]) owned.dispose();
    },
  };
}

/** α = 1, 0.1 … 1e-6. */
export const TAYLOR_STEPS = Array.from({ length: 7 }, (_, decade) => 10 ** -decade);

/** Where the cost function is looked at. */
export function controlVector(length: number): Float64Array {
  return normals(length, 'v').map((value) => 0.5 * value);
}

/** @returns (J(v + αp) − J(v)) / α⟨∇J, p⟩ − 1 for each α */
export async function taylorErrors({ length, cost, gradient }: CostFunction): Promise<number[]> {
  const v = controlVector(length);
  const slopes = await gradient(v);
  // Half along the gradient, so that what it misjudges weighs, and half across it, so that a wrong direction shows.
  const across = normals(length, 'direction');
  const direction = plus(across, slopes, norm(across) / norm(slopes)).map((value) => 0.3 * value);
  const slope = dot(slopes, direction);
  const base = await cost(v);
  const errors: number[] = [];
  for (const step of TAYLOR_STEPS) errors.push(((await cost(plus(v, direction, step))) - base) / (step * slope) - 1);
  return errors;
}

/**
 * The ratio is 1 + cα + O(α²), c half the curvature over the slope: each decade of α leaves a tenth of the error, and a wrong
 * gradient a constant. At α = 1e-6 the rounding of J, some ε J = 1e-13, is 1e-7 |slope|⁻¹ of the ratio: 1 % of cα.
 */
export const DECADE_BOUNDS = [0.095, 0.105] as const;
/** Bound of the error at α = 1e-6. */
export const LAST_TAYLOR_BOUND = 1e-5;
