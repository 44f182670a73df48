/**
 * Weights of an ensemble transform that are known on a coarse grid, interpolated bilinearly to every cell and applied there
 * [yang2009]:
 *
 *   xᵃ⁽ⁱ⁾ = x⁽¹⁾ + Σ_m T_im (x⁽ᵐ⁾ − x⁽¹⁾),   T = Σ of the four nodes around the cell, each by its share.
 *
 * Since Σ_m T_im = 1 at the nodes and the shares sum to 1, it is Σ_m T_im x⁽ᵐ⁾ with the digits of small differences kept. Where a
 * cell is a node, it has that node's weights as they are.
 */
import { count, defineOperator } from '../../compute/define-operator.ts';
import { weightInterpolationFields, weightInterpolationReference } from './reference.ts';
import type { WeightInterpolationFields, WeightInterpolationParameters } from './reference.ts';

export { nodesAlong, nodeTable } from './reference.ts';
export type { NodeTable } from './reference.ts';
export type { WeightInterpolationParameters } from './reference.ts';

/** Cost: the weights once, the ensemble in and the analysis out; three blends a weight and cell, a product a variable. */
export const weightInterpolation = defineOperator<WeightInterpolationParameters, WeightInterpolationFields>({
  name: 'weight-interpolation',
  fields: weightInterpolationFields,
  parameters: { nx: count, ny: count, variables: count, members: count },
  cost: ({ nx, ny, variables, members: k, nodesX, nodesY }, elementBytes) => ({
    bytes: (k * k * nodesX.count * nodesY.count + 2 * nx * ny * variables * k) * elementBytes,
    flops: nx * ny * k * k * (3 + 2 * variables) + 3 * ny * nodesX.count * k * k,
  }),
  reference: weightInterpolationReference,
  wasm: async () => (await import('./devices.ts')).weightInterpolationWasm,
  webgpu: async () => (await import('./devices.ts')).weightInterpolationWebGpu,
});
