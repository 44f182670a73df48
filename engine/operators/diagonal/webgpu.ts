/** y = s ∘ x on the GPU: one dispatch. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import kernel from './diagonal.wgsl?raw';
import type { DiagonalFields, DiagonalParameters } from './parameters.ts';

const PARAMETERS = uniformBlock('Parameters', {
  length: 'u32',
  elements: 'u32',
});

const prepare: WebGpuOperator<DiagonalParameters, DiagonalFields> = async (builder, { length, batch }) => {
  const program = await builder.program({
    label: 'diagonal.main',
    code: [indexLibrary, PARAMETERS.wgsl, kernel],
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const parameters = builder.uniform('diagonal.parameters', PARAMETERS, { length, elements: length * batch });
  const workgroups = workgroupsFor(length * batch, 256);
  return (recorder, { scale, input, output }) =>
    recorder.dispatch(program, [parameters, scale, input, output], workgroups);
};

export default prepare;
