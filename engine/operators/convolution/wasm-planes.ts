/** The separable convolution of planes in SIMD: a pass an axis. */
import type { WasmOperator } from '../../compute/wasm/program.ts';
import type { SeparableConvolution2dFields, SeparableConvolution2dParameters } from './parameters.ts';
import { planesPasses } from './passes.ts';
import { prepareBandPass } from './wasm-band.ts';

const prepare: WasmOperator<SeparableConvolution2dParameters, SeparableConvolution2dFields> = (builder, parameters) => {
  const { nx, ny, batch } = parameters;
  const [first, second] = planesPasses(parameters).map(({ lines, band }) => prepareBandPass(builder, lines, band));
  const between = builder.reals('convolution.between', nx * ny * batch);
  return ({ input, output }) => {
    first(input.byteOffset, between.address);
    second(between.address, output.byteOffset);
  };
};

export default prepare;
