/** The product of an ensemble and a matrix, tiled in workgroup memory. */
import tileProduct from '../../compute/webgpu/library/tile-product.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import ensembleTransformKernel from './ensemble-transform.wgsl?raw';
import type { EnsembleSize } from './parameters.ts';

const PARAMETERS = uniformBlock('Parameters', {
  members: 'u32',
  length: 'u32',
});

/** Members and elements of a tile. */
const TILE = 64;

/** Workgroups for all tiles of an ensemble. */
function tilesOf({ members, length }: EnsembleSize): readonly [number, number, number] {
  const [x, y] = workgroupsFor(length, TILE);
  return [x, y, Math.ceil(members / TILE)];
}

export const ensembleTransform: WebGpuOperator<
  EnsembleSize,
  { ensemble: 'real'; transform: 'real'; transformed: 'real' }
> = async (builder, { members, length }) => {
  const program = await builder.program({
    label: 'ensemble.transform',
    code: [tileProduct, PARAMETERS.wgsl, ensembleTransformKernel],
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', PARAMETERS, { members, length });
  const workgroups = tilesOf({ members, length });
  return (recorder, { ensemble, transform, transformed }) =>
    recorder.dispatch(program, [uniform, ensemble, transform, transformed], workgroups);
};
