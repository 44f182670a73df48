/** Standard normal numbers on the GPU: one dispatch, each invocation makes one of a pair. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import type { standardNormalFields, StandardNormalParameters } from './parameters.ts';
import kernel from './standard-normal.wgsl?raw';

const PARAMETERS = uniformBlock('Parameters', { length: 'u32', segments: 'u32' });

const prepare: WebGpuOperator<StandardNormalParameters, typeof standardNormalFields> = async (builder, parameters) => {
  const program = await builder.program({
    label: 'standard-normal.numbers',
    code: [indexLibrary, PARAMETERS.wgsl, kernel],
    bindings: ['uniform', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', PARAMETERS, parameters);
  const counts = workgroupsFor(parameters.length, 64);
  return (recorder, { streams, output }) => recorder.dispatch(program, [uniform, streams, output], counts);
};

export default prepare;
