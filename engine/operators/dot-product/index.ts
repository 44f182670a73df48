/** The scaled dot product of two vectors, factor·xᵀy, left on the device. */
import type { ArraysOf } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { uniformBlock, parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, partsFor, type WasmOperator } from '../../compute/wasm/program.ts';
import reductionLibrary from '../../compute/webgpu/library/reduction.wgsl?raw';
import { partsOf, type Program, type WebGpuOperator, type KernelBuilder } from '../../compute/webgpu/program.ts';
import source from './dot-product.wgsl?raw';

export interface DotProductParameters {
  readonly length: number;
  /** Multiplies the product. */
  readonly factor: number;
}

/** `x` and `y` are [length] and may be the same field; `result` is [1], written. */
export const dotProductFields = { x: 'real', y: 'real', result: 'real' } as const;

function dotProductReference({ length, factor }: DotProductParameters) {
  return ({ x, y, result }: ArraysOf<typeof dotProductFields>): void => {
    let sum = 0;
    for (let i = 0; i < length; i++) sum += x[i] * y[i];
    result[0] = factor * sum;
  };
}

/**
 * `result[0]` = factor·xᵀy, summed pairwise on a GPU, and in float64 on a processor.
 * Cost: x and y once; 2 flops an element.
 */
export const dotProduct = defineOperator<DotProductParameters, typeof dotProductFields>({
  name: 'dot-product',
  fields: dotProductFields,
  cost: ({ length }, elementBytes) => ({ bytes: 2 * length * elementBytes, flops: 2 * length }),
  reference: dotProductReference,
  wasm: async () => dotProductWasm,
  webgpu: async () => dotProductWebGpu,
});

const part = partsOf(source);

const DOT_PRODUCT = parameterBlock('DotProduct', {
  length: 'i32',
  segment: 'i32',
  x: 'pointer',
  y: 'pointer',
  /** A float64 a part. */
  sums: 'pointer',
});

/** Elements of a part. */
const SEGMENT = 32_768;

/** The dot product in SIMD: runs of elements, summed in float64 in their order. */
const dotProductWasm: WasmOperator<DotProductParameters, typeof dotProductFields> = (builder, { length, factor }) => {
  const parts = partsFor(length, SEGMENT);
  const sums = builder.doubles('dot-product.sums', parts);
  const program = builder.program('dotProduct', DOT_PRODUCT, { length, segment: SEGMENT, sums: sums.address });
  return ({ x, y, result }) => {
    program.set(addressesOf({ x, y }));
    program.run(parts);
    result[0] = factor * sums.view().reduce((sum, value) => sum + value, 0);
  };
};

export const TOTAL_PARAMETERS = uniformBlock('Parameters', {
  groups: 'u32',
  at: 'u32',
  factor: 'f32',
});

export const DOT_PARAMETERS = uniformBlock('Parameters', {
  length: 'u32',
  groups: 'u32',
  shift: 'f32',
});

/** Code of kernels that finish the sums of the one before, and the invocations of their workgroups. */
export const totalCode: readonly string[] = [reductionLibrary, part('partials')];
export const SUM_WORKGROUP = 256;

/** Workgroups of a sum: enough to fill a GPU, few enough that each can add all partial sums for itself. */
const LARGEST_GROUPS = 512;

export function sumGroups(length: number): number {
  return Math.min(LARGEST_GROUPS, Math.ceil(length / SUM_WORKGROUP));
}

/** Partial sums of xᵀ(y + shift·x). Bindings: parameters, x, y, partials. */
export function dotProgram(builder: KernelBuilder): Promise<Program> {
  return builder.program({
    label: 'dot-product.partials',
    code: [reductionLibrary, DOT_PARAMETERS.wgsl, part('dot')],
    bindings: ['uniform', 'read', 'read', 'write'],
  });
}

/** The total of partial sums. Bindings: parameters, partials, result. */
export function totalProgram(builder: KernelBuilder): Promise<Program> {
  return builder.program({
    label: 'dot-product.total',
    code: [...totalCode, TOTAL_PARAMETERS.wgsl, part('total')],
    bindings: ['uniform', 'read', 'write'],
  });
}

const dotProductWebGpu: WebGpuOperator<DotProductParameters, typeof dotProductFields> = async (
  builder,
  { length, factor },
) => {
  const [dot, total] = await Promise.all([dotProgram(builder), totalProgram(builder)]);
  const groups = sumGroups(length);
  const partials = builder.scratch('partials', 'real', groups);
  const dotUniform = builder.uniform('dot', DOT_PARAMETERS, { length, groups, shift: 0 });
  const totalUniform = builder.uniform('total', TOTAL_PARAMETERS, { groups, at: 0, factor });
  return (recorder, { x, y, result }) => {
    recorder.dispatch(dot, [dotUniform, x, y, partials], [groups]);
    recorder.dispatch(total, [totalUniform, partials, result], [1]);
  };
};
