/**
 * Conjugate gradients in SIMD and on a GPU. There an iteration is three dispatches: the curvature's partial sums, the step, the new
 * direction; each of the last two finishes the sums of the one before. Where v is short, one workgroup does all in one dispatch.
 */
import { uniformBlock, parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, partsFor, type WasmOperator } from '../../compute/wasm/program.ts';
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import reductionLibrary from '../../compute/webgpu/library/reduction.wgsl?raw';
import { workgroupsFor, partsOf, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import {
  DOT_PARAMETERS,
  dotProgram,
  SUM_WORKGROUP,
  sumGroups,
  TOTAL_PARAMETERS,
  totalCode,
  totalProgram,
} from '../dot-product/index.ts';
import source from './conjugate-gradient.wgsl?raw';
import {
  beginWith,
  iterateWith,
  HISTORY,
  type initialisationFields,
  type InitialisationParameters,
  type iterationFields,
  type IterationParameters,
} from './reference.ts';

const part = partsOf(source);

const CONJUGATE_GRADIENT = parameterBlock('ConjugateGradient', {
  length: 'i32',
  segment: 'i32',
  shift: 'f32',
  /** α or β. */
  factor: 'f32',
  product: 'pointer',
  solution: 'pointer',
  residual: 'pointer',
  direction: 'pointer',
  /** Two float64 a part. */
  sums: 'pointer',
  rightHandSide: 'pointer',
});

/** Elements of a part. */
const SEGMENT = 16_384;

/** One of the two sums of the parts, over all of them. */
function sumOf(sums: Float64Array, which: 0 | 1): number {
  let sum = 0;
  for (let place = which; place < sums.length; place += 2) sum += sums[place];
  return sum;
}

/** Conjugate gradients with their vectors in SIMD; what is decided is decided as in reference.ts. */
export const initialisationWasm: WasmOperator<InitialisationParameters, typeof initialisationFields> = (
  builder,
  { length },
) => {
  const parts = partsFor(length, SEGMENT);
  const sums = builder.doubles('conjugate-gradient.sums', 2 * parts);
  const constants = { length, segment: SEGMENT, sums: sums.address };
  const program = builder.program('startFromRest', CONJUGATE_GRADIENT, constants);
  return ({ rightHandSide, solution, residual, direction, history, progress }) => {
    program.set(addressesOf({ rightHandSide, solution, residual, direction }));
    program.run(parts);
    beginWith(sumOf(sums.view(), 0), history, progress);
  };
};

export const iterationWasm: WasmOperator<IterationParameters, typeof iterationFields> = (builder, parameters) => {
  const { length, shift } = parameters;
  const parts = partsFor(length, SEGMENT);
  const sums = builder.doubles('conjugate-gradient.sums', 2 * parts);
  const constants = { length, segment: SEGMENT, shift, sums: sums.address };
  const programs = {
    curvature: builder.program('curvature', CONJUGATE_GRADIENT, constants),
    stepAlong: builder.program('stepAlong', CONJUGATE_GRADIENT, constants),
    newDirection: builder.program('newDirection', CONJUGATE_GRADIENT, constants),
  };
  return iterateWith(parameters, ({ product, solution, residual, direction }) => {
    const places = addressesOf({ product, solution, residual, direction });
    return {
      curvature() {
        programs.curvature.set(places);
        programs.curvature.run(parts);
        return sumOf(sums.view(), 0);
      },
      step(alpha) {
        programs.stepAlong.set({ ...places, factor: alpha });
        programs.stepAlong.run(parts);
        return { residualSquared: sumOf(sums.view(), 0), solutionSquared: sumOf(sums.view(), 1) };
      },
      turn(beta) {
        programs.newDirection.set({ ...places, factor: beta });
        programs.newDirection.run(parts);
      },
    };
  });
};

const INITIALISATION_PARAMETERS = uniformBlock('Parameters', {
  length: 'u32',
});

const STEP_PARAMETERS = uniformBlock('Parameters', {
  length: 'u32',
  groups: 'u32',
  maxIterations: 'u32',
  shift: 'f32',
});

const DIRECTION_PARAMETERS = uniformBlock('Parameters', {
  length: 'u32',
  groups: 'u32',
  maxIterations: 'u32',
  toleranceSquared: 'f32',
});

/** What other kernels that iterate leave `history` and `progress` with, between the code of their `parameters` and their own. */
export const historyCode = { layout: part('layout'), record: part('record') } as const;

const ITERATION_PARAMETERS = uniformBlock('Parameters', {
  length: 'u32',
  maxIterations: 'u32',
  shift: 'f32',
  toleranceSquared: 'f32',
});

/** Elements of v up to which one workgroup is quicker than three dispatches: 32 for each of its invocations. */
const SHORT = 32 * SUM_WORKGROUP;

export const initialisationWebGpu: WebGpuOperator<InitialisationParameters, typeof initialisationFields> = async (
  builder,
  { length },
) => {
  const [start, dot, total] = await Promise.all([
    builder.program({
      label: 'conjugate-gradient.initialisation',
      code: [indexLibrary, part('layout'), INITIALISATION_PARAMETERS.wgsl, part('initialisation')],
      bindings: ['uniform', 'read', 'write', 'write', 'write', 'write', 'write'],
    }),
    dotProgram(builder),
    totalProgram(builder),
  ]);
  const groups = sumGroups(length);
  const partials = builder.scratch('partials', 'real', groups);
  const startUniform = builder.uniform('initialisation', INITIALISATION_PARAMETERS, { length });
  const dotUniform = builder.uniform('dot', DOT_PARAMETERS, { length, groups, shift: 0 });
  const totalUniform = builder.uniform('total', TOTAL_PARAMETERS, { groups, at: HISTORY.residual, factor: 1 });
  return (recorder, { rightHandSide, solution, residual, direction, history, progress }) => {
    recorder.dispatch(
      start,
      [startUniform, rightHandSide, solution, residual, direction, history, progress],
      workgroupsFor(length, SUM_WORKGROUP),
    );
    recorder.dispatch(dot, [dotUniform, rightHandSide, rightHandSide, partials], [groups]);
    recorder.dispatch(total, [totalUniform, partials, history], [1]);
  };
};

type Iteration = WebGpuOperator<IterationParameters, typeof iterationFields>;

export const iterationWebGpu: Iteration = (builder, parameters) =>
  parameters.length <= SHORT ? shortIteration(builder, parameters) : longIteration(builder, parameters);

const shortIteration: Iteration = async (builder, { length, shift, tolerance, maxIterations }) => {
  const program = await builder.program({
    label: 'conjugate-gradient.iteration',
    code: [reductionLibrary, part('layout'), ITERATION_PARAMETERS.wgsl, part('record'), part('iteration')],
    bindings: ['uniform', 'read', 'write', 'write', 'write', 'write', 'write'],
  });
  const uniform = builder.uniform('iteration', ITERATION_PARAMETERS, {
    length,
    maxIterations,
    shift,
    toleranceSquared: tolerance * tolerance,
  });
  return (recorder, { product, solution, residual, direction, history, progress }) =>
    recorder.dispatch(program, [uniform, product, direction, solution, residual, history, progress], [1]);
};

const longIteration: Iteration = async (builder, { length, shift, tolerance, maxIterations }) => {
  const [dot, step, turn] = await Promise.all([
    dotProgram(builder),
    builder.program({
      label: 'conjugate-gradient.step',
      code: [...totalCode, part('layout'), STEP_PARAMETERS.wgsl, part('step')],
      bindings: ['uniform', 'read', 'read', 'write', 'write', 'write', 'write', 'write'],
    }),
    builder.program({
      label: 'conjugate-gradient.direction',
      code: [...totalCode, part('layout'), DIRECTION_PARAMETERS.wgsl, part('record'), part('direction')],
      bindings: ['uniform', 'read', 'write', 'read', 'write', 'write'],
    }),
  ]);
  const groups = sumGroups(length);
  const partials = builder.scratch('partials', 'real', 3 * groups);
  const dotUniform = builder.uniform('dot', DOT_PARAMETERS, { length, groups, shift });
  const stepUniform = builder.uniform('step', STEP_PARAMETERS, { length, groups, maxIterations, shift });
  const turnUniform = builder.uniform('direction', DIRECTION_PARAMETERS, {
    length,
    groups,
    maxIterations,
    toleranceSquared: tolerance * tolerance,
  });
  return (recorder, { product, solution, residual, direction, history, progress }) => {
    recorder.dispatch(dot, [dotUniform, direction, product, partials], [groups]);
    recorder.dispatch(
      step,
      [stepUniform, product, direction, solution, residual, partials, history, progress],
      [groups],
    );
    recorder.dispatch(turn, [turnUniform, residual, direction, partials, history, progress], [groups]);
  };
};
