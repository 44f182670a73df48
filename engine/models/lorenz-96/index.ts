/**
 * The Lorenz-96 model [lorenz1996]: n variables on a circle,
 *
 *     dx_i/dt = (x_{i+1} − x_{i−2})·x_{i−1} − x_i + F,
 *
 * by the classical fourth-order Runge–Kutta method. With n = 40 and F = 8 it is chaotic, and errors double in about 0.4 time
 * units; one unit represents five days of weather. Time and state have no dimension; "seconds" are time units here.
 */
import type { Operator, ArraysOf, RealArray } from '../../compute/backend.ts';
import { uniformBlock, parameterBlock } from '../../compute/parameter-block.ts';
import type { WasmOperator } from '../../compute/wasm/program.ts';
import { workgroupsFor, partsOf, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import { ScenarioError, LimitError, type Problem } from '../../errors.ts';
import { prepareLinearSteps, type Model } from '../model.ts';
import { createPropagator } from '../propagator.ts';
import {
  STEP_FIELDS,
  referenceSteps,
  STEPPING_BINDINGS,
  steppingBuffers,
  steppingSource,
  createReports,
  reportWords,
  takeTogether,
  wasmSteps,
} from '../stepping.ts';
import type { StepFields, StepParameters } from '../stepping.ts';
import { linearLorenz96 } from './linear.ts';
import lorenz96Source from './lorenz-96.wgsl?raw';

/** What the operator of the Lorenz-96 model is prepared with. */
export interface Lorenz96Parameters extends StepParameters {
  /** Variables of a member, at least 4. */
  readonly n: number;
  readonly forcing: number;
  readonly timeStep: number;
}

/** @returns one step of x, [n], by the Runge–Kutta method of fourth order, in place */
export function createLorenz96Step({
  n,
  forcing,
}: Pick<Lorenz96Parameters, 'n' | 'forcing'>): (x: RealArray, dt: number) => void {
  const slope = new Float64Array(n);
  const stage = new Float64Array(n);
  const sum = new Float64Array(n);

  function tendency(x: RealArray): void {
    for (let i = 0; i < n; i++) {
      slope[i] = (x[(i + 1) % n] - x[(i + n - 2) % n]) * x[(i + n - 1) % n] - x[i] + forcing;
    }
  }

  return (x, dt) => {
    tendency(x);
    sum.set(slope);
    for (const [share, weight] of STAGES) {
      for (let i = 0; i < n; i++) stage[i] = x[i] + share * dt * slope[i];
      tendency(stage);
      for (let i = 0; i < n; i++) sum[i] += weight * slope[i];
    }
    for (let i = 0; i < n; i++) x[i] += (dt / 6) * sum[i];
  };
}

function lorenz96Reference(parameters: Lorenz96Parameters): (arrays: ArraysOf<StepFields>) => void {
  const { n, members } = parameters;
  const step = createLorenz96Step(parameters);
  return referenceSteps(parameters, (state) => {
    const member = Array.from({ length: members }, (_, m) => state.subarray(m * n, (m + 1) * n));
    return {
      step: (seconds) => member.forEach((x) => step(x, seconds)),
      waveRate: () => 0,
      fault() {
        const place = state.findIndex((value) => !Number.isFinite(value));
        return place < 0 ? undefined : { place, kind: 'not-finite', variable: 0, value: state[place] };
      },
    };
  });
}

/** Share of the step, and weight in the sum, of the second, third and fourth stage. */
const STAGES = [
  [0.5, 2],
  [0.5, 2],
  [1, 1],
] as const;

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
    wasm: async () => lorenz96Wasm,
    webgpu: async () => lorenz96WebGpu,
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
    linearKept: 0,
    linearise: (backend, seconds) => prepareLinearSteps(backend, linearLorenz96, { n, forcing, timeStep: seconds }),
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

const part = partsOf(lorenz96Source);

const LORENZ_96 = parameterBlock('Lorenz96', {
  n: 'i32',
  steps: 'i32',
  forcing: 'f32',
  seconds: 'f32',
  state: 'pointer',
  /** Report of each part: step, cell, kind, variable, value; step −1 if nothing went wrong. */
  reports: 'pointer',
});

/** Arrays of the circle that a kernel keeps, and reals of one, as in lorenz-96.as.ts. */
const CIRCLE_ARRAYS = 4;
const realsOfCircle = (n: number): number => 4 * Math.ceil(n / 4) + 12;

/** The Lorenz-96 model in SIMD: a part of a task is a member with all steps of a run. */
const lorenz96Wasm: WasmOperator<Lorenz96Parameters, StepFields> = (builder, parameters) => {
  const { n, members, forcing, steps } = parameters;
  const eachMember = { bands: 1, rowsPerBand: 1, parts: members };
  const before = members > 1 && steps > 1 ? builder.reals('lorenz-96.before', n * members) : undefined;
  const reportMemory = builder.words('lorenz-96.reports', reportWords(eachMember));
  const reports = createReports(reportMemory.view, eachMember, n);
  const program = builder.program(
    'lorenz96',
    LORENZ_96,
    { n, forcing, reports: reportMemory.address },
    4 * CIRCLE_ARRAYS * realsOfCircle(n),
  );
  return wasmSteps(parameters, {
    waveRate: () => 0,
    advance(state, count, seconds) {
      program.set({ state: state.byteOffset, seconds });
      return takeTogether(state, count, before?.view(), reports, (taken) => {
        program.set({ steps: taken });
        program.run(members);
      });
    },
  });
};

const PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  steps: 'u32',
  forcing: 'f32',
});

/** Reals of workgroup memory a variable, and bytes besides. */
const REALS_PER_VARIABLE = 4;
const OTHER_BYTES = 64;

const lorenz96WebGpu: WebGpuOperator<Lorenz96Parameters, StepFields> = async (builder, parameters) => {
  const { n, members, steps, forcing } = parameters;
  const memory = builder.limits.maxComputeWorkgroupStorageSize;
  const largest = Math.floor((memory - OTHER_BYTES) / (REALS_PER_VARIABLE * Float32Array.BYTES_PER_ELEMENT));
  if (n > largest) {
    throw new LimitError(
      `Lorenz-96 with ${n} variables: at most ${largest} fit into the ${memory} bytes of this GPU's workgroup memory; use fewer, or the reference backend`,
    );
  }
  const common = {
    constants: { N: n },
    bindings: [...STEPPING_BINDINGS, 'uniform', 'write', 'write'] as const,
  };
  const [run, conclude] = await Promise.all([
    builder.program({
      label: 'lorenz-96.steps',
      code: [steppingSource, PARAMETERS.wgsl, part('lorenz-96')],
      ...common,
    }),
    builder.program({
      label: 'lorenz-96.conclude',
      code: [steppingSource, PARAMETERS.wgsl, part('conclude')],
      ...common,
    }),
  ]);
  const uniform = builder.uniform('parameters', PARAMETERS, { members, steps, forcing });
  const faults = builder.scratch('faults', 'index', members);
  const stepping = steppingBuffers(builder, parameters);
  const workgroups = workgroupsFor(members, 1);
  return (recorder, buffers) => {
    const bound = [...stepping(0, buffers), uniform, buffers.state, faults];
    recorder.dispatch(run, bound, workgroups);
    recorder.dispatch(conclude, bound, [1]);
  };
};
