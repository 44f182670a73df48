/**
 * The Lorenz-96 model's step, linearised (index.ts). With f′(x) δx_i = (δx_{i+1} − δx_{i−2}) x_{i−1} + (x_{i+1} − x_{i−2}) δx_{i−1} − δx_i
 * and the stages x⁰ = x, x¹ = x + ½dt f(x⁰), x² = x + ½dt f(x¹), x³ = x + dt f(x²) of the Runge–Kutta method,
 *
 *   δk⁰ = f′(x⁰) δx, δk¹ = f′(x¹)(δx + ½dt δk⁰), …,   M′ δx = δx + dt/6 (δk⁰ + 2δk¹ + 2δk² + δk³),
 *
 * and the adjoint takes the same stages in reverse order.
 */
import type { ArraysOf, Operator, RealArray } from '../../compute/backend.ts';
import { parameterBlock, uniformBlock } from '../../compute/parameter-block.ts';
import { onFields, type WasmOperator } from '../../compute/wasm/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { LINEAR_STEP_FIELDS, type LinearStepFields, type LinearStepParameters } from '../model.ts';
import source from './linear.wgsl?raw';

/** What the linearised step of the Lorenz-96 model is prepared with. */
export interface LinearLorenz96Parameters extends LinearStepParameters {
  readonly n: number;
  readonly forcing: number;
}

/** Share of the step that leads to each stage from the one before, and weight of each stage’s slope in sixths of the step. */
const SHARES = [0, 0.5, 0.5, 1] as const;
const WEIGHTS = [1, 2, 2, 1] as const;

function linearLorenz96Reference({
  n,
  forcing,
  timeStep: dt,
  direction,
}: LinearLorenz96Parameters): (arrays: ArraysOf<LinearStepFields>) => void {
  const stages = WEIGHTS.map(() => new Float64Array(n));
  const slope = new Float64Array(n);
  const perturbed = new Float64Array(n);
  const sum = new Float64Array(n);
  const at = (i: number): number => (i + n) % n;

  /** The stages of the step from x. */
  function follow(x: RealArray): void {
    slope.fill(0);
    stages.forEach((stage, s) => {
      for (let i = 0; i < n; i++) stage[i] = x[i] + SHARES[s] * dt * slope[i];
      for (let i = 0; i < n; i++)
        slope[i] = (stage[at(i + 1)] - stage[at(i - 2)]) * stage[at(i - 1)] - stage[i] + forcing;
    });
  }

  /** `slope` = f′(x) d */
  function tendency(x: Float64Array, d: Float64Array): void {
    for (let i = 0; i < n; i++) {
      const [before, after, second] = [at(i - 1), at(i + 1), at(i - 2)];
      slope[i] = (d[after] - d[second]) * x[before] + (x[after] - x[second]) * d[before] - d[i];
    }
  }

  /** `slope` = f′(x)ᵀ d */
  function tendencyAdjoint(x: Float64Array, d: Float64Array): void {
    for (let i = 0; i < n; i++) {
      const [before, after, second] = [at(i - 1), at(i + 1), at(i + 2)];
      slope[i] = d[before] * x[at(i - 2)] - d[second] * x[after] + d[after] * (x[second] - x[before]) - d[i];
    }
  }

  function tangent(input: RealArray, output: RealArray): void {
    slope.fill(0);
    sum.fill(0);
    stages.forEach((stage, s) => {
      for (let i = 0; i < n; i++) perturbed[i] = input[i] + SHARES[s] * dt * slope[i];
      tendency(stage, perturbed);
      for (let i = 0; i < n; i++) sum[i] += WEIGHTS[s] * slope[i];
    });
    for (let i = 0; i < n; i++) output[i] = input[i] + (dt / 6) * sum[i];
  }

  function adjoint(input: RealArray, output: RealArray): void {
    slope.fill(0);
    sum.fill(0);
    for (let s = stages.length - 1; s >= 0; s--) {
      const following = SHARES[s + 1] ?? 0;
      for (let i = 0; i < n; i++) perturbed[i] = (dt / 6) * WEIGHTS[s] * input[i] + following * dt * slope[i];
      tendencyAdjoint(stages[s], perturbed);
      for (let i = 0; i < n; i++) sum[i] += slope[i];
    }
    for (let i = 0; i < n; i++) output[i] = input[i] + sum[i];
  }

  const apply = direction === 'tangent' ? tangent : adjoint;
  return ({ before, input, output }) => {
    follow(before);
    apply(input, output);
  };
}

const LINEAR_LORENZ_96 = parameterBlock('LinearLorenz96', {
  n: 'i32',
  isAdjoint: 'flag',
  forcing: 'f32',
  seconds: 'f32',
  before: 'pointer',
  input: 'pointer',
  output: 'pointer',
});

/** Arrays of the circle that the kernel keeps, and reals of one, as in linear.as.ts. */
const CIRCLE_ARRAYS = 8;
const realsOfCircle = (n: number): number => 4 * Math.ceil(n / 4) + 12;

/** In SIMD, on one thread: a step is a single part. */
const linearLorenz96Wasm: WasmOperator<LinearLorenz96Parameters, LinearStepFields> = (
  builder,
  { n, forcing, timeStep, direction },
) =>
  onFields(
    builder.program(
      'linearLorenz96',
      LINEAR_LORENZ_96,
      { n, forcing, seconds: timeStep, isAdjoint: direction === 'adjoint' },
      4 * CIRCLE_ARRAYS * realsOfCircle(n),
    ),
    1,
  );

const PARAMETERS = uniformBlock('Parameters', { n: 'u32', forcing: 'f32', seconds: 'f32' });

/** Sections of the kernel’s work space, as in linear.wgsl. */
const SECTIONS = 8;

const linearLorenz96WebGpu: WebGpuOperator<LinearLorenz96Parameters, LinearStepFields> = async (
  builder,
  { n, forcing, timeStep, direction },
) => {
  const step = await builder.program({
    label: `lorenz-96-linear.${direction}`,
    code: [PARAMETERS.wgsl, source],
    constants: { IS_ADJOINT: direction === 'adjoint' ? 1 : 0 },
    bindings: ['uniform', 'read', 'read', 'write', 'write'],
  });
  const uniform = builder.uniform('parameters', PARAMETERS, { n, forcing, seconds: timeStep });
  const work = builder.scratch('work', 'real', SECTIONS * n);
  return (recorder, { before, input, output }) => recorder.dispatch(step, [uniform, before, input, output, work], [1]);
};

/** Floating-point operations of a variable: three stages of 6, four linear tendencies of 7, and their sums. */
const FLOPS_PER_VARIABLE = 62;

/** Its fields are [n]. */
export const linearLorenz96: Operator<LinearLorenz96Parameters, LinearStepFields> = {
  name: 'lorenz-96-linear',
  fields: LINEAR_STEP_FIELDS,
  cost: ({ n }, elementBytes) => ({ bytes: 3 * n * elementBytes, flops: FLOPS_PER_VARIABLE * n }),
  implementations: {
    reference: linearLorenz96Reference,
    wasm: async () => linearLorenz96Wasm,
    webgpu: async () => linearLorenz96WebGpu,
  },
};
