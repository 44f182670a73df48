/**
 * One pass of the separable convolution [magic-filter]: the filter along the fastest axis of a volume,
 *
 *   out(i₁, i₂, i₃) = Σ ω_j in(i₁, i₂, i₃ + j),  j from −lower to taps.length − 1 − lower, i₃ periodic,
 *
 * with the kernels that the room of the convolution has. It exists for its published figures, which are those of one axis;
 * there the pass writes transposed, here it leaves the layout as it is.
 */
import type { ArraysOf, Operator } from '../../compute/backend.ts';
import { bandOfTaps, bandProduct, eachLine, linesAlong } from '../../operators/convolution/index.ts';
import type { ConvolutionParameters } from '../../operators/convolution/index.ts';
import type { AxisConvolutionFields } from './parameters.ts';

function reference(parameters: ConvolutionParameters): (arrays: ArraysOf<AxisConvolutionFields>) => void {
  const { n1, n2, n3 } = parameters;
  const apply = eachLine(linesAlong(n1 * n2, n3, 1), (lanes) => bandProduct(bandOfTaps(n3, parameters, true), lanes));
  return ({ input, output }) => apply(input, output);
}

export const axisConvolution: Operator<ConvolutionParameters, AxisConvolutionFields> = {
  name: 'axis-convolution',
  fields: { input: 'real', output: 'real' },
  cost({ n1, n2, n3, taps }, elementBytes) {
    const points = n1 * n2 * n3;
    return { bytes: 2 * points * elementBytes, flops: 2 * taps.length * points };
  },
  implementations: {
    reference,
    wasm: async () => (await import('./wasm.ts')).default,
    webgpu: async () => (await import('./webgpu.ts')).default,
  },
};
