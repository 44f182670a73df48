/** The convolution of a volume in SIMD: a pass an axis, the layout as it is. */
import type { WasmOperator } from '../../compute/wasm/program.ts';
import { bandOfTaps } from './band.ts';
import { linesAlong } from './lines.ts';
import type { ConvolutionFields, ConvolutionParameters } from './parameters.ts';
import { prepareBandPass } from './wasm-band.ts';

const prepare: WasmOperator<ConvolutionParameters, ConvolutionFields> = (builder, parameters) => {
  const { n1, n2, n3 } = parameters;
  const pass = (before: number, length: number, after: number) =>
    prepareBandPass(builder, linesAlong(before, length, after), bandOfTaps(length, parameters, true));
  const passes = [pass(n1 * n2, n3, 1), pass(n1, n2, n3), pass(1, n1, n2 * n3)] as const;
  const first = builder.reals('convolution.first', n1 * n2 * n3);
  const second = builder.reals('convolution.second', n1 * n2 * n3);
  return ({ input, output }) => {
    passes[0](input.byteOffset, first.address);
    passes[1](first.address, second.address);
    passes[2](second.address, output.byteOffset);
  };
};

export default prepare;
