/**
 * The Lorenz-96 model [lorenz1996]: n variables on a circle,
 *
 *     dx_i/dt = (x_{i+1} − x_{i−2})·x_{i−1} − x_i + F,
 *
 * by the classical fourth-order Runge–Kutta method. With n = 40 and F = 8 it is chaotic, and errors double in about 0.4 time
 * units; one unit represents five days of weather. Time and state have no dimension; "seconds" are time units here.
 */
import type { Operator } from '../../compute/backend.ts';
import { ScenarioError } from '../../errors.ts';
import type { Problem } from '../../problem.ts';
import type { Model } from '../model.ts';
import { createPropagator } from '../propagator.ts';
import { STEP_FIELDS } from '../stepping.ts';
import type { StepFields } from '../stepping.ts';
import { lorenz96Reference } from './reference.ts';
import type { Lorenz96Parameters } from './reference.ts';

export { createLorenz96Step } from './reference.ts';

/** Floating-point operations of a variable and step: four tendencies of 4, three stages of 2, the sum. */
const FLOPS_PER_VARIABLE = 29;

/** `state` is [member][i]. */
const lorenz96: Operator<Lorenz96Parameters, StepFields> = {
  name: 'lorenz-96',
  fields: STEP_FIELDS,
  cost: ({ n, members, steps }, elementBytes) => ({
    bytes: 2 * n * members * elementBytes,
    flops: FLOPS_PER_VARIABLE * n * members * steps,
  }),
  implementations: {
    reference: lorenz96Reference,
    wasm: async () => (await import('./devices.ts')).lorenz96Wasm,
    webgpu: async () => (await import('./devices.ts')).lorenz96WebGpu,
  },
};

export interface Lorenz96Description {
  /** Variables on the circle. Default 40. */
  readonly n?: number;
  /** F. Default 8. */
  readonly forcing?: number;
  /** Default 0.05. */
  readonly timeStep?: number;
}

const VARIABLES = [{ name: 'x', unit: '' }] as const;

/** @throws ScenarioError naming each setting that is out of range */
export function createLorenz96({ n = 40, forcing = 8, timeStep = 0.05 }: Lorenz96Description = {}): Model {
  const problems: Problem[] = [];
  const report = (name: string, message: string): void => void problems.push({ path: [name], message });
  if (!Number.isInteger(n) || n < 4) report('n', `found ${n}, must be a whole number of at least 4`);
  if (!Number.isFinite(forcing)) report('forcing', `found ${forcing}, must be a number`);
  if (!(timeStep > 0 && timeStep < Infinity)) report('timeStep', `found ${timeStep}, must be above 0`);
  if (problems.length > 0) throw new ScenarioError(problems);
  const grid = { nx: n, ny: 1, dx: 1, dy: 1, periodicX: true, periodicY: false };
  return {
    grid,
    variables: VARIABLES,
    surface: undefined,
    bed: undefined,
    toState: (external) => external.slice(),
    fromState: (state) => state.slice(),
    waveRate: () => 0,
    prepare: (backend, members, _pace, signal) =>
      createPropagator({
        backend,
        operator: lorenz96,
        parameters: { n, forcing, members, timeStep, steps: 1, courant: 1, begins: false },
        grid,
        variables: VARIABLES,
        pace: undefined,
        waveRate: () => 0,
        signal,
      }),
  };
}
