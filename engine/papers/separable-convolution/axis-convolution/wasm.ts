/** The filter along the fastest axis in SIMD. */
import type { WasmOperator } from '../../../compute/wasm/program.ts';
import { bandOfTaps, linesAlong, type ConvolutionParameters } from '../../../operators/convolution/index.ts';
import { prepareBandPass } from '../../../operators/convolution/wasm.ts';
import type { AxisConvolutionFields } from './parameters.ts';

const prepare: WasmOperator<ConvolutionParameters, AxisConvolutionFields> = (builder, parameters) => {
  const { n1, n2, n3 } = parameters;
  const pass = prepareBandPass(builder, linesAlong(n1 * n2, n3, 1), bandOfTaps(n3, parameters, true));
  return ({ input, output }) => pass(input.byteOffset, output.byteOffset);
};

export default prepare;
