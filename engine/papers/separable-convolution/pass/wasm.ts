/** The passes in generated WebAssembly, on one thread. */
import type { WasmBuilder, WasmOperator } from '../../../compute/wasm/program.ts';
import { fittedKernel, inTurn, passesOf } from './description.ts';
import type { Pass, PassElement, PassesFields, PassesParameters } from './description.ts';
import { lanesOf, passVariants } from './variants.ts';
import { passModule, workElements } from './wasm-code.ts';

export function passesOnWasm(element: PassElement): WasmOperator<PassesParameters, PassesFields> {
  const elementBytes = element === 'double' ? 8 : 4;
  const numbers = (builder: WasmBuilder, label: string, length: number) =>
    element === 'double' ? builder.doubles(label, length) : builder.reals(label, length);
  return (builder, parameters) => {
    const weights = numbers(builder, 'convolution-passes.taps', parameters.taps.length);
    weights.view().set(parameters.taps);
    const generate = (pass: Pass): ((input: number, output: number) => void) => {
      const asked = parameters.kernel ?? builder.variant(passVariants.wasm[element], { pass, element });
      const withKernel = { ...pass, kernel: fittedKernel(pass, asked, lanesOf(element)) };
      const work = numbers(builder, 'convolution-passes.work', workElements(withKernel, elementBytes)).address;
      return builder.generated((machine) =>
        passModule(withKernel, { ...machine, elementBytes, weights: weights.address, work }),
      );
    };
    const { n1, n2, n3, axes } = parameters;
    const between = numbers(builder, 'convolution-passes.between', axes === 1 ? 1 : n1 * n2 * n3).address;
    const run = inTurn(passesOf(parameters).map(generate), between);
    return ({ input, output }) => run({ input: input.byteOffset, output: output.byteOffset });
  };
}
