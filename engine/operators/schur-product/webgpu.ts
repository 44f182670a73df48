/** The Schur products on the GPU: one dispatch. */
import indexLibrary from '../../compute/webgpu/library/index.wgsl?raw';
import { workgroupsFor } from '../../compute/webgpu/program.ts';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import type { schurProductFields, SchurProductParameters } from './parameters.ts';
import kernel from './schur-product.wgsl?raw';
import { sumsOf } from './sums.ts';

const PARAMETERS = uniformBlock('Parameters', {
  cells: 'u32',
  elements: 'u32',
  terms: 'u32',
  anomalyPlane: 'u32',
  anomalyTerm: 'u32',
});

const prepare: WebGpuOperator<SchurProductParameters, typeof schurProductFields> = async (builder, parameters) => {
  const program = await builder.program({
    label: 'schur-product.main',
    code: [indexLibrary, PARAMETERS.wgsl, kernel],
    bindings: ['uniform', 'read', 'read', 'write'],
  });
  const { cells } = parameters;
  const { planes, ...sums } = sumsOf(parameters);
  const elements = planes * cells;
  const uniform = builder.uniform('schur-product.parameters', PARAMETERS, { cells, elements, ...sums });
  const workgroups = workgroupsFor(elements, 256);
  return (recorder, { anomalies, input, output }) =>
    recorder.dispatch(program, [uniform, anomalies, input, output], workgroups);
};

export default prepare;
