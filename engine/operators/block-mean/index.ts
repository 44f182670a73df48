/**
 * A state on a grid of fewer cells: of each coarse cell the mean of the fine cells in it, so that what they hold together is the
 * same on both grids. An offset is added to component 0 afterwards, where one grid's states have a depth there and the other's
 * the elevation of the surface.
 */
import type { Operator } from '../../compute/backend.ts';
import { LimitError } from '../../errors.ts';
import { blockMeanFields } from './parameters.ts';
import type { BlockMeanParameters } from './parameters.ts';
import { blockMeanReference } from './reference.ts';

export type { BlockMeanParameters } from './parameters.ts';

/** @throws LimitError when a count is not a positive integer */
function checked(parameters: BlockMeanParameters): BlockMeanParameters {
  for (const [name, found] of Object.entries(parameters)) {
    if (Number.isInteger(found) && found >= 1) continue;
    throw new LimitError(`block-mean: ${name} is ${found}, it must be an integer of at least 1; pass the grid's size`);
  }
  return parameters;
}

/** The same of fields on the host, [variable][ny·factor][nx·factor], with nothing added. */
export function meanOverBlocks(fine: Float64Array, parameters: BlockMeanParameters): Float64Array {
  const { nx, ny, variables } = checked(parameters);
  const coarse = new Float64Array(variables * nx * ny);
  blockMeanReference(parameters)({ fine, offset: new Float64Array(nx * ny), coarse });
  return coarse;
}

/** Cost: reads each fine cell and the offset once, writes each coarse cell once; one addition a fine cell. */
export const blockMean: Operator<BlockMeanParameters, typeof blockMeanFields> = {
  name: 'block-mean',
  fields: blockMeanFields,
  cost(parameters, elementBytes) {
    const { nx, ny, variables, factor } = checked(parameters);
    const coarse = variables * nx * ny;
    return { bytes: elementBytes * (coarse * (factor ** 2 + 1) + nx * ny), flops: coarse * (factor ** 2 + 1) };
  },
  implementations: {
    reference: (parameters) => blockMeanReference(checked(parameters)),
    wasm: async () => {
      const { default: prepare } = await import('./wasm.ts');
      return (builder, parameters) => prepare(builder, checked(parameters));
    },
    webgpu: async () => (await import('./webgpu.ts')).default,
  },
};
