/** The projection onto wet cells on a GPU: one invocation a cell. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import type { WetProjectionFields, WetProjectionParameters } from './parameters.ts';
import kernel from './wet-projection.wgsl?raw';

const PARAMETERS = uniformBlock('Parameters', { variables: 'u32', cells: 'u32', dryDepth: 'f32', thinDepth: 'f32' });

const WORKGROUP = 256;

const prepare: WebGpuOperator<WetProjectionParameters, WetProjectionFields> = async (
  builder,
  { variables, cells, dryDepth, thinDepth },
) => {
  const program = await builder.program({
    label: 'wet-projection.main',
    code: [indexLibrary, PARAMETERS.wgsl, kernel],
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const parameters = builder.uniform('parameters', PARAMETERS, { variables, cells, dryDepth, thinDepth });
  const workgroups = workgroupsFor(cells, WORKGROUP);
  return (recorder, { background, bed, increment }) =>
    recorder.dispatch(program, [parameters, background, bed, increment], workgroups);
};

export default prepare;
