/**
 * Weights of an ensemble transform that are known on a coarse grid, interpolated bilinearly to every cell and applied there
 * [yang2009]:
 *
 *   xᵃ⁽ⁱ⁾ = x⁽¹⁾ + Σ_m T_im (x⁽ᵐ⁾ − x⁽¹⁾),   T = Σ of the four nodes around the cell, each by its share.
 *
 * Since Σ_m T_im = 1 at the nodes and the shares sum to 1, it is Σ_m T_im x⁽ᵐ⁾ with the digits of small differences kept. Where a
 * cell is a node, it has that node's weights as they are.
 */
import type { Operator } from '../../compute/backend.ts';
import { weightInterpolationFields } from './parameters.ts';
import type { WeightInterpolationFields, WeightInterpolationParameters } from './parameters.ts';
import { weightInterpolationReference } from './reference.ts';

export { nodesAlong, nodeTable } from './nodes.ts';
export type { NodeTable } from './nodes.ts';
export type { WeightInterpolationFields, WeightInterpolationParameters } from './parameters.ts';

/** Cost: the weights once, the ensemble in and the analysis out; three blends a weight and cell, a product a variable. */
export const weightInterpolation: Operator<WeightInterpolationParameters, WeightInterpolationFields> = {
  name: 'weight-interpolation',
  fields: weightInterpolationFields,
  cost: ({ nx, ny, variables, members: k, nodesX, nodesY }, elementBytes) => ({
    bytes: (k * k * nodesX.count * nodesY.count + 2 * nx * ny * variables * k) * elementBytes,
    flops: nx * ny * k * k * (3 + 2 * variables) + 3 * ny * nodesX.count * k * k,
  }),
  implementations: {
    reference: weightInterpolationReference,
    wasm: async () => (await import('./wasm.ts')).default,
    webgpu: async () => (await import('./webgpu.ts')).default,
  },
};
