/** One dispatch of one workgroup. */
import reduction from '../../compute/webgpu/library/reduction.wgsl?raw';
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import type { InnovationStatisticsFields } from './parameters.ts';
import kernel from './innovation-statistics.wgsl?raw';

const webGpuInnovationStatistics: WebGpuOperator<
  { readonly observations: number },
  InnovationStatisticsFields
> = async (workshop, { observations }) => {
  const program = await workshop.program({
    label: 'statistics.innovation',
    code: [reduction, kernel],
    bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
  });
  const uniform = workshop.uniform('parameters', [{ u32: observations }]);
  return (recorder, { innovation, inverseDeviation, originalInverseDeviation, backgroundVariance, report }) =>
    recorder.dispatch(
      program,
      [uniform, innovation, inverseDeviation, originalInverseDeviation, backgroundVariance, report],
      [1],
    );
};

export default webGpuInnovationStatistics;
