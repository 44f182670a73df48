/** One dispatch of one workgroup. */
import reduction from '../../compute/webgpu/library/reduction.wgsl?raw';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { uniformBlock } from '../../compute/parameter-block.ts';
import type { InnovationStatisticsFields } from './parameters.ts';
import kernel from './innovation-statistics.wgsl?raw';

const PARAMETERS = uniformBlock('Parameters', {
  observations: 'u32',
});

const webGpuInnovationStatistics: WebGpuOperator<
  { readonly observations: number },
  InnovationStatisticsFields
> = async (builder, { observations }) => {
  const program = await builder.program({
    label: 'statistics.innovation',
    code: [reduction, PARAMETERS.wgsl, kernel],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
  });
  const uniform = builder.uniform('parameters', PARAMETERS, { observations });
  return (recorder, { innovation, inverseErrorStd, originalInverseErrorStd, backgroundVariance, report }) =>
    recorder.dispatch(
      program,
      [uniform, innovation, inverseErrorStd, originalInverseErrorStd, backgroundVariance, report],
      [1],
    );
};

export default webGpuInnovationStatistics;
