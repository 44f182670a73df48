/** The separable convolution of a volume on the GPU: a dispatch an axis, fast axis first. */
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { bandOfTaps } from './band.ts';
import { linesAlong } from './lines.ts';
import type { ConvolutionFields, ConvolutionParameters } from './parameters.ts';
import { prepareBandPass } from './webgpu-band.ts';

const prepare: WebGpuOperator<ConvolutionParameters, ConvolutionFields> = async (builder, parameters) => {
  const { n1, n2, n3 } = parameters;
  const axes = [linesAlong(n1 * n2, n3, 1), linesAlong(n1, n2, n3), linesAlong(1, n1, n2 * n3)];
  const [along3, along2, along1] = await Promise.all(
    axes.map((lines) => prepareBandPass(builder, 'convolution', lines, bandOfTaps(lines.length, parameters, true))),
  );
  const scratch = builder.scratch('convolution.scratch', 'real', n1 * n2 * n3);
  return (recorder, { input, output }) => {
    along3(recorder, input, output);
    along2(recorder, output, scratch);
    along1(recorder, scratch, output);
  };
};

export default prepare;
