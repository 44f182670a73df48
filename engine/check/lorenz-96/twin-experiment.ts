/**
 * The twin experiment of the Lorenz-96 benchmark: 40 variables, F = 8, RK4 with dt = 0.05, every variable observed after each
 * step with errors of unit variance. It is made of the same parts as an experiment of a scenario: the model's propagator, the
 * observation operator, the departures and the methods.
 */
import type { Backend } from '../../compute/backend.ts';
import { createReferenceBackend } from '../../compute/host-backend.ts';
import { executeAnalysis } from '../../methods/index.ts';
import type { Method, MethodContext } from '../../methods/index.ts';
import { createLorenz96 } from '../../models/index.ts';
import { createObservationOperator, observedVariable } from '../../operators/observation/index.ts';
import { randomStream } from '../../random/stream.ts';
import type { RandomStream } from '../../random/stream.ts';

export const VARIABLES = 40;
/** Time units of a cycle: one step of the model. */
export const WINDOW = 0.05;

/** Time units from a random state to one on the attractor. */
const ONTO_THE_ATTRACTOR = 20;
/** Variance of the truth and of the members about the state that the experiment starts from. */
const INITIAL_VARIANCE = 0.001;

export interface TwinExperiment {
  readonly members: number;
  readonly create: (context: MethodContext) => Promise<Method>;
  readonly seed: number;
  /** Cycles before the errors count, and cycles of which they do. */
  readonly spinup: number;
  readonly cycles: number;
}

/** Root mean square over `values.length` differences. */
function rootMeanSquare(found: Float64Array, expected: Float64Array): number {
  let sum = 0;
  for (let i = 0; i < expected.length; i++) sum += (found[i] - expected[i]) ** 2;
  return Math.sqrt(sum / expected.length);
}

/** x̄ of [members][n]. */
export function meanOf(ensemble: Float64Array, n: number): Float64Array {
  const mean = new Float64Array(n);
  for (let element = 0; element < ensemble.length; element++) mean[element % n] += ensemble[element];
  return mean.map((sum) => (sum * n) / ensemble.length);
}

/** What a method of the benchmark finds around it: the model, and its observations, none of which is ever rejected. */
export async function createContext(backend: Backend, members: number, seed: number) {
  const model = createLorenz96({ n: VARIABLES, timeStep: WINDOW });
  const observations = await createObservationOperator(
    backend,
    { grid: model.grid, variables: ['state0'] },
    { capacity: VARIABLES, members: [1, members] },
  );
  const threshold = backend.allocate('threshold', 'real', VARIABLES);
  backend.write(threshold, new Float64Array(VARIABLES));
  const x = Float64Array.from({ length: VARIABLES }, (_, i) => i);
  const y = new Float64Array(VARIABLES);
  const inverseErrorStd = new Float64Array(VARIABLES).fill(1);
  const { name, code } = observedVariable('state0');
  const positions = { x, y, variable: Array.from(x, () => name), inverseErrorStd };
  const codes = new Uint32Array(VARIABLES).fill(code);
  const context: MethodContext = {
    backend,
    model,
    observations,
    threshold,
    positions: () => positions,
    members,
    seed,
    gravity: 0,
    coriolis: { f: 0, beta: 0 },
  };
  return {
    context,
    /** Sets a cycle's observations; a value that is not finite is absent. */
    observe: (values: Float64Array) => observations.set({ x, y, variable: codes, values, inverseErrorStd }),
    dispose: () => {
      observations.dispose();
      threshold.dispose();
    },
  };
}

/** A state of the attractor: always the same in float64, since rounding grows by 1e15 on the way to it. */
async function stateOfTheAttractor(draw: RandomStream): Promise<Float64Array> {
  const backend = createReferenceBackend();
  const propagator = await createLorenz96({ n: VARIABLES, timeStep: WINDOW }).prepare(backend, 1);
  const state = backend.allocate('start', 'real', VARIABLES);
  backend.write(
    state,
    Float64Array.from({ length: VARIABLES }, () => 8 + draw.normal()),
  );
  await propagator.advance(state, ONTO_THE_ATTRACTOR);
  await propagator.check('start');
  const found = await backend.read(state);
  backend.dispose();
  return found;
}

/** @returns the mean over cycles of the spatial root-mean-square error of the analysis (its ensemble's mean) */
export async function analysisError(backend: Backend, experiment: TwinExperiment): Promise<number> {
  const { members, create, seed, spinup, cycles } = experiment;
  const { context, observe, dispose } = await createContext(backend, members, seed);
  const method = await create(context);
  const ofTruth = await context.model.prepare(backend, 1);
  const ofEnsemble = await context.model.prepare(backend, members);
  const truth = backend.allocate('truth', 'real', VARIABLES);

  const draw = randomStream(seed, 'lorenz-96.initial');
  const centre = await stateOfTheAttractor(draw);
  const drawn = (): Float64Array => centre.map((value) => value + Math.sqrt(INITIAL_VARIANCE) * draw.normal());
  backend.write(truth, drawn());
  // A method of one state starts from the centre, as the mean of an ensemble does but for the sampling.
  for (let m = 0; m < members; m++) backend.write(method.state, members === 1 ? centre : drawn(), m * VARIABLES);

  let sum = 0;
  for (let cycle = 0; cycle < spinup + cycles; cycle++) {
    await ofTruth.advance(truth, WINDOW);
    await ofEnsemble.advance(method.state, WINDOW);
    const noise = randomStream(seed, 'lorenz-96.noise', cycle);
    const exact = await backend.read(truth);
    observe(exact.map((value) => value + noise.normal()));
    method.departures.compute(method.state);
    await executeAnalysis(backend, method, cycle);
    if (cycle >= spinup) sum += rootMeanSquare(meanOf(await backend.read(method.state), VARIABLES), exact);
  }
  await ofTruth.check('truth');
  await ofEnsemble.check(method.label);
  for (const owned of [method, ofTruth, ofEnsemble, truth]) owned.dispose();
  dispose();
  return sum / cycles;
}
