/** One dispatch of one workgroup. */
import reduction from '../../compute/webgpu/library/reduction.wgsl?raw';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import kernel from './inflation-estimate.wgsl?raw';
import { validated } from './parameters.ts';
import type { InflationEstimateFields, InflationEstimateParameters } from './parameters.ts';

const PARAMETERS = uniformBlock('Parameters', {
  observations: 'u32',
  ratio: 'u32',
  priorVariance: 'f32',
  least: 'f32',
  most: 'f32',
});

const prepare: WebGpuOperator<InflationEstimateParameters, InflationEstimateFields> = async (builder, parameters) => {
  const { observations, kind, deviation, least, most } = validated(parameters);
  const program = await builder.program({
    label: 'inflation.estimate',
    code: [reduction, PARAMETERS.wgsl, kernel],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', PARAMETERS, {
    observations,
    ratio: Number(kind === 'desroziers'),
    priorVariance: deviation ** 2,
    least,
    most,
  });
  return (recorder, { innovation, residual, inverseErrorStd, variance, factor }) =>
    recorder.dispatch(program, [uniform, innovation, residual, inverseErrorStd, variance, factor], [1]);
};

export default prepare;
