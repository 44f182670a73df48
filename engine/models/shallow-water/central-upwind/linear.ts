/**
 * The step of the central-upwind scheme, linearised: friction, Heun's two Euler steps, and friction (reference.ts), each with its
 * derivative and the adjoint of that. Where a cell runs out of water or water is held back at a shore, the shares that limit it are
 * taken as they are: there the derivative is of the flow and not of the limit. What is dry has no momentum and carries nothing.
 */
import type { ArraysOf, Cost, Operator, RealArray } from '../../../compute/backend.ts';
import { LINEAR_STEP_FIELDS, type LinearStepFields } from '../../linear-step.ts';
import { dragFactor } from '../basin.ts';
import type { LinearCentralUpwindParameters } from './linear-devices.ts';
import { createLinearEuler } from './linear-euler.ts';

/** Exponent of the depth in Manning's friction. */
const MANNING_EXPONENT = 7 / 3;

function linearCentralUpwindReference(
  parameters: LinearCentralUpwindParameters,
): (arrays: ArraysOf<LinearStepFields>) => void {
  const { nx, ny, gravity, manning, drag = 0, dryDepth, timeStep, direction } = parameters;
  const cells = nx * ny;
  const state = (): Float64Array => new Float64Array(3 * cells);
  // States on the way through the step: before it, after the first friction, after one and two Euler steps, and their mean.
  const [began, rubbed, once, twice, mean] = [state(), state(), state(), state(), state()];
  const euler = createLinearEuler(parameters);
  const { bed } = euler;
  const [changed, changedOnce, changedTwice] = [state(), state(), state()];
  const isRubbed = manning > 0 || drag > 0;
  const half = dragFactor(drag, timeStep / 4);

  /** Half a step of friction in a cell: the factor of its momenta, and what that depends on; undefined where it is dry. */
  function frictionOf(at: Float64Array, cell: number) {
    const depth = at[cell] - bed[cell];
    if (depth <= dryDepth) return undefined;
    const speed = Math.hypot(at[cell + cells], at[cell + 2 * cells]);
    const drain = (half * (timeStep / 2) * gravity * manning ** 2 * speed) / depth ** MANNING_EXPONENT;
    return { depth, speed, drain, factor: half ** 2 / (1 + drain) };
  }

  function friction(from: Float64Array, to: Float64Array): void {
    to.set(from);
    if (!isRubbed) return;
    for (let cell = 0; cell < cells; cell++) {
      const factor = frictionOf(from, cell)?.factor ?? 1;
      to[cell + cells] *= factor;
      to[cell + 2 * cells] *= factor;
    }
  }

  /** Friction, linearised, or its adjoint, in place. */
  function changeByFriction(at: Float64Array, vector: Float64Array): void {
    if (!isRubbed) return;
    for (let cell = 0; cell < cells; cell++) {
      const found = frictionOf(at, cell);
      if (!found) continue;
      const { depth, speed, drain, factor } = found;
      const [x, y] = [cell + cells, cell + 2 * cells];
      // −d factor / d ln drain
      const loss = (factor * drain) / (1 + drain);
      const perMomentum = speed > 0 ? loss / speed ** 2 : 0;
      const perDepth = (MANNING_EXPONENT * loss) / depth;
      if (direction === 'tangent') {
        const fall = perMomentum * (at[x] * vector[x] + at[y] * vector[y]) - perDepth * vector[cell];
        vector[x] = factor * vector[x] - at[x] * fall;
        vector[y] = factor * vector[y] - at[y] * fall;
      } else {
        const fall = at[x] * vector[x] + at[y] * vector[y];
        vector[cell] += perDepth * fall;
        vector[x] = factor * vector[x] - perMomentum * at[x] * fall;
        vector[y] = factor * vector[y] - perMomentum * at[y] * fall;
      }
    }
  }

  function isWet(cell: number): boolean {
    return mean[cell] - bed[cell] > dryDepth;
  }

  function begin(before: RealArray): void {
    euler.roundBed(before);
    began.set(before);
    friction(began, rubbed);
  }

  /** Prepares the derivative of the first Euler step, and of the second. */
  const first = (): void => euler.prepare(rubbed, once, timeStep);
  const second = (): void => euler.prepare(once, twice, timeStep);

  function takeMean(): void {
    for (let i = 0; i < mean.length; i++) mean[i] = 0.5 * (rubbed[i] + twice[i]);
  }

  function tangent(input: RealArray, output: RealArray): void {
    changed.set(input);
    changeByFriction(began, changed);
    first();
    euler.tangent(changed, changedOnce);
    second();
    euler.tangent(changedOnce, changedTwice);
    takeMean();
    for (let i = 0; i < changed.length; i++) {
      changed[i] = i < cells || isWet(i % cells) ? 0.5 * (changed[i] + changedTwice[i]) : 0;
    }
    changeByFriction(mean, changed);
    output.set(changed);
  }

  function adjoint(input: RealArray, output: RealArray): void {
    first();
    second();
    takeMean();
    changed.set(input);
    changeByFriction(mean, changed);
    for (let i = 0; i < changed.length; i++) changed[i] *= i < cells || isWet(i % cells) ? 0.5 : 0;
    euler.adjoint(changed, changedTwice);
    first();
    euler.adjoint(changedTwice, changedOnce);
    for (let i = 0; i < changed.length; i++) changed[i] += changedOnce[i];
    changeByFriction(began, changed);
    output.set(changed);
  }

  const apply = direction === 'tangent' ? tangent : adjoint;
  return ({ before, input, output }) => {
    begin(before);
    apply(input, output);
  };
}

/** Floating-point operations of a cell: two stages, each with two faces of about 180 and a cell of 90. */
const FLOPS_PER_CELL = 900;

/** Its fields are η, hu, hv of one state. */
export const linearCentralUpwind: Operator<LinearCentralUpwindParameters, LinearStepFields> = {
  name: 'central-upwind-linear',
  fields: LINEAR_STEP_FIELDS,
  cost: ({ nx, ny }, elementBytes): Cost => ({
    bytes: 10 * nx * ny * elementBytes,
    flops: FLOPS_PER_CELL * nx * ny,
  }),
  implementations: {
    reference: linearCentralUpwindReference,
    wasm: async () => (await import('./linear-devices.ts')).linearCentralUpwindWasm,
    webgpu: async () => (await import('./linear-devices.ts')).linearCentralUpwindWebGpu,
  },
};
