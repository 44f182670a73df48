/** The separable convolution of planes on the GPU: a dispatch an axis. */
import type { WebGpuOperator } from '../../compute/webgpu/program.ts';
import { planesPasses } from './passes.ts';
import type { SeparableConvolution2dFields, SeparableConvolution2dParameters } from './parameters.ts';
import { prepareBandPass } from './webgpu-band.ts';

const prepare: WebGpuOperator<SeparableConvolution2dParameters, SeparableConvolution2dFields> = async (
  builder,
  parameters,
) => {
  const { nx, ny, batch } = parameters;
  const passes = planesPasses(parameters);
  const [first, second] = await Promise.all(
    passes.map(({ lines, band }) => prepareBandPass(builder, 'separable-convolution-2d', lines, band)),
  );
  const scratch = builder.scratch('separable-convolution-2d.scratch', 'real', nx * ny * batch);
  return (recorder, { input, output }) => {
    first(recorder, input, scratch);
    second(recorder, scratch, output);
  };
};

export default prepare;
