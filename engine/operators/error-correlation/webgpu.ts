/** The sum on the GPU: one dispatch. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import kernel from './error-correlation.wgsl?raw';
import type { errorCorrelationFields, ErrorCorrelationParameters } from './parameters.ts';

/** Invocations of a workgroup, and of one row. */
const WORKGROUP = 256;
const LANES = 32;

const PARAMETERS = uniformBlock('Parameters', { observations: 'u32' });

const prepare: WebGpuOperator<ErrorCorrelationParameters, typeof errorCorrelationFields> = async (
  builder,
  { observations },
) => {
  const program = await builder.program({
    label: 'error-correlation.main',
    code: [indexLibrary, PARAMETERS.wgsl, kernel],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
  });
  const uniform = builder.uniform('error-correlation.parameters', PARAMETERS, { observations });
  const workgroups = workgroupsFor(LANES * observations, WORKGROUP);
  return (recorder, { indptr, indices, correlation, inverseErrorStd, matrix }) =>
    recorder.dispatch(program, [uniform, indptr, indices, correlation, inverseErrorStd, matrix], workgroups);
};

export default prepare;
