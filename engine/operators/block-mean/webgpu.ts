/** Means of blocks on the GPU: one dispatch. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import kernel from './block-mean.wgsl?raw';
import type { blockMeanFields, BlockMeanParameters } from './parameters.ts';

const PARAMETERS = uniformBlock('Parameters', { nx: 'u32', cells: 'u32', elements: 'u32', factor: 'u32' });

const WORKGROUP = 256;

const prepare: WebGpuOperator<BlockMeanParameters, typeof blockMeanFields> = async (
  builder,
  { nx, ny, variables, factor },
) => {
  const program = await builder.program({
    label: 'block-mean.main',
    code: [indexLibrary, PARAMETERS.wgsl, kernel],
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const cells = nx * ny;
  const elements = variables * cells;
  const parameters = builder.uniform('block-mean.parameters', PARAMETERS, { nx, cells, elements, factor });
  const workgroups = workgroupsFor(elements, WORKGROUP);
  return (recorder, { fine, offset, coarse }) =>
    recorder.dispatch(program, [parameters, fine, offset, coarse], workgroups);
};

export default prepare;
