/** The scaled dot product of two vectors, factor·xᵀy, left on the device. */
import { defineOperator } from '../../compute/define-operator.ts';
import type { DotProductFields, DotProductParameters } from './reference.ts';
import { dotProductReference } from './reference.ts';

export type { DotProductFields, DotProductParameters } from './reference.ts';

/**
 * `result[0]` = factor·xᵀy, summed pairwise on a GPU, and in float64 on a processor.
 * Cost: x and y once; 2 flops an element.
 */
export const dotProduct = defineOperator<DotProductParameters, DotProductFields>({
  name: 'dot-product',
  fields: { x: 'real', y: 'real', result: 'real' },
  cost: ({ length }, elementBytes) => ({ bytes: 2 * length * elementBytes, flops: 2 * length }),
  reference: dotProductReference,
  wasm: async () => (await import('./devices.ts')).dotProductWasm,
  webgpu: async () => (await import('./devices.ts')).dotProductWebGpu,
});
