/** The WebGPU parts of this room: one kernel and one dispatch each, an invocation a result. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { Access, WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import type { ScalarKind } from '../../compute/parameter-block.ts';
import type { FieldKinds } from '../../compute/backend.ts';
import columnScalingKernel from './column-scaling.wgsl?raw';
import innovationKernel from './innovation.wgsl?raw';
import linearisationKernel from './linearisation.wgsl?raw';
import measurementKernel from './measurement.wgsl?raw';
import observationKernel from './observation.wgsl?raw';
import type {
  columnScalingFields,
  innovationFields,
  InnovationParameters,
  linearisationFields,
  LinearisationParameters,
  measurementFields,
  MeasurementParameters,
  observationFields,
  ObservationParameters,
  qualityControlFields,
  QualityControlParameters,
  sparseAdjointFields,
  SparseParameters,
  sparseProductFields,
  TangentVarianceFields,
  TangentVarianceParameters,
} from './parameters.ts';
import qualityControlKernel from './quality-control.wgsl?raw';
import sparseAdjointKernel from './sparse-adjoint.wgsl?raw';
import sparseProductKernel from './sparse-product.wgsl?raw';
import stencil from './stencil.wgsl?raw';
import tangentVarianceKernel from './tangent-variance.wgsl?raw';
import { KIND } from './variables.ts';
import velocity from './velocity.wgsl?raw';

const WORKGROUP = 64;

/** How one kernel serves one operator. Its bindings are a uniform block and then the operator's fields in `order`. */
interface KernelPlan<Parameters, Name extends string> {
  readonly label: string;
  readonly code: readonly string[];
  readonly order: readonly Name[];
  readonly outputs: readonly Name[];
  /** The uniform block: those of the parameters that the kernel reads. */
  readonly uniform: { readonly [Name in keyof Parameters & string]?: 'u32' | 'f32' };
  readonly constants?: (parameters: Parameters) => Readonly<Record<string, number>>;
  /** Results a batch element, and batch elements. */
  readonly results: (parameters: Parameters) => readonly [items: number, batch: number];
}

function singleKernel<Parameters extends { readonly [Name in keyof Parameters]: number }, Kinds extends FieldKinds>(
  plan: KernelPlan<Parameters, keyof Kinds & string>,
): WebGpuOperator<Parameters, Kinds> {
  const accessOf = (name: keyof Kinds & string): Access => (plan.outputs.includes(name) ? 'write' : 'read');
  const block = uniformBlock('Parameters', plan.uniform as Readonly<Record<string, ScalarKind>>);
  return async (builder, parameters) => {
    const program = await builder.program({
      label: plan.label,
      code: [indexLibrary, block.wgsl, ...plan.code],
      constants: plan.constants?.(parameters),
      bindings: ['uniform', ...plan.order.map(accessOf)],
    });
    const uniform = builder.uniform('parameters', block, parameters);
    const [items, batch] = plan.results(parameters);
    const [x, y] = workgroupsFor(items, WORKGROUP);
    return (recorder, buffers) =>
      recorder.dispatch(program, [uniform, ...plan.order.map((name) => buffers[name])], [x, y, batch]);
  };
}

const velocityConstants = (dryDepth: number): Record<string, number> => ({
  velocityX: KIND.velocityX,
  velocityY: KIND.velocityY,
  dryDepth,
});

export const sparseProduct = singleKernel<SparseParameters, typeof sparseProductFields>({
  label: 'sparse-product.rows',
  code: [sparseProductKernel],
  order: ['indptr', 'indices', 'data', 'input', 'output'],
  outputs: ['output'],
  uniform: { rows: 'u32', columns: 'u32' },
  results: ({ rows, batch }) => [rows, batch],
});

export const sparseAdjoint = singleKernel<SparseParameters, typeof sparseAdjointFields>({
  label: 'sparse-adjoint.columns',
  code: [sparseAdjointKernel],
  order: ['columnStart', 'entryRow', 'entryPosition', 'data', 'input', 'output'],
  outputs: ['output'],
  uniform: { rows: 'u32', columns: 'u32' },
  results: ({ columns, batch }) => [columns, batch],
});

export const columnScaling = singleKernel<SparseParameters, typeof columnScalingFields>({
  label: 'column-scaling.entries',
  code: [columnScalingKernel],
  order: ['indptr', 'indices', 'data', 'scale'],
  outputs: ['data'],
  uniform: { rows: 'u32' },
  results: ({ nonzeros }) => [nonzeros, 1],
});

export const observation = singleKernel<ObservationParameters, typeof observationFields>({
  label: 'observation.points',
  code: [velocity, stencil, observationKernel],
  order: ['state', 'corners', 'weights', 'kind', 'offset', 'output'],
  outputs: ['output'],
  uniform: { observations: 'u32', plane: 'u32', variables: 'u32' },
  constants: ({ dryDepth }) => velocityConstants(dryDepth),
  results: ({ observations, batch }) => [observations, batch],
});

export const linearisation = singleKernel<LinearisationParameters, typeof linearisationFields>({
  label: 'linearisation.rows',
  code: [velocity, stencil, linearisationKernel],
  order: ['state', 'corners', 'weights', 'kind', 'offset', 'inverseErrorStd', 'indptr', 'data'],
  outputs: ['data'],
  uniform: { observations: 'u32', plane: 'u32' },
  constants: ({ dryDepth }) => velocityConstants(dryDepth),
  results: ({ observations }) => [observations, 1],
});

export const measurement = singleKernel<MeasurementParameters, typeof measurementFields>({
  label: 'measurement.values',
  code: [measurementKernel],
  order: ['observed', 'normal', 'term', 'isGiven', 'values'],
  outputs: ['values'],
  uniform: { observations: 'u32' },
  results: ({ observations }) => [observations, 1],
});

export const innovation = singleKernel<InnovationParameters, typeof innovationFields>({
  label: 'innovation.departures',
  code: [innovationKernel],
  order: ['values', 'observed', 'inverseErrorStd', 'innovation', 'scaled'],
  outputs: ['innovation', 'scaled'],
  uniform: { observations: 'u32' },
  results: ({ observations }) => [observations, 1],
});

export const qualityControl = singleKernel<QualityControlParameters, typeof qualityControlFields>({
  label: 'quality-control.decide',
  code: [qualityControlKernel],
  order: ['innovation', 'inverseErrorStd', 'variance', 'threshold', 'effective'],
  outputs: ['effective'],
  uniform: { observations: 'u32', sharpest: 'f32' },
  results: ({ observations }) => [observations, 1],
});

export const tangentVariance = singleKernel<TangentVarianceParameters, TangentVarianceFields>({
  label: 'tangent-variance.rows',
  code: [tangentVarianceKernel],
  order: ['indptr', 'data', 'covariance', 'variance'],
  outputs: ['variance'],
  uniform: { observations: 'u32' },
  results: ({ observations }) => [observations, 1],
});
