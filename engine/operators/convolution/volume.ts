/** The operator `convolution`: one filter along all three axes of a volume. */
import type { Cost, Operator } from '../../compute/backend.ts';
import { volumeReference } from './reference.ts';
import { checkCount, checkTaps } from './validation.ts';
import type { ConvolutionParameters, ConvolutionFields } from './parameters.ts';

/** @throws LimitError when a size is not a positive integer, or the taps are not usable */
function validate(parameters: ConvolutionParameters): ConvolutionParameters {
  for (const name of ['n1', 'n2', 'n3'] as const) checkCount('convolution', name, parameters[name]);
  checkTaps('convolution', 'taps', parameters);
  return parameters;
}

/** The volume is read once and written once, at least, however the passes are made; a multiplication and an addition a tap and axis. */
function cost(parameters: ConvolutionParameters, elementBytes: number): Cost {
  const { n1, n2, n3, taps } = validate(parameters);
  const points = n1 * n2 * n3;
  return { bytes: 2 * points * elementBytes, flops: 3 * 2 * taps.length * points };
}

export const convolution: Operator<ConvolutionParameters, ConvolutionFields> = {
  name: 'convolution',
  fields: { input: 'real', output: 'real' },
  cost,
  implementations: {
    reference: (parameters) => volumeReference(validate(parameters)),
    wasm: async () => (await import('./wasm-volume.ts')).default,
    webgpu: async () => (await import('./webgpu-volume.ts')).default,
  },
};
