/** The filter along the fastest axis on the GPU: one dispatch. */
import type { WebGpuOperator } from '../../../compute/webgpu/program.ts';
import { bandOfTaps, linesAlong, type ConvolutionParameters } from '../../../operators/convolution/index.ts';
import { prepareBandPass } from '../../../operators/convolution/webgpu-band.ts';
import type { AxisConvolutionFields } from './parameters.ts';

const prepare: WebGpuOperator<ConvolutionParameters, AxisConvolutionFields> = async (builder, parameters) => {
  const { n1, n2, n3 } = parameters;
  const lines = linesAlong(n1 * n2, n3, 1);
  const pass = await prepareBandPass(builder, 'axis-convolution', lines, bandOfTaps(n3, parameters, true));
  return (recorder, { input, output }) => pass(recorder, input, output);
};

export default prepare;
