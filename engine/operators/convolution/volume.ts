/** The operator `convolution`: one filter along all three axes of a volume. */
import type { Cost } from '../../compute/backend.ts';
import { count, defineOperator } from '../../compute/define-operator.ts';
import { volumeReference } from './reference.ts';
import { checkTaps } from './passes.ts';
import type { ConvolutionParameters, ConvolutionFields } from './parameters.ts';

/** The volume is read once and written once, at least, however the passes are made; a multiplication and an addition a tap and axis. */
function cost(parameters: ConvolutionParameters, elementBytes: number): Cost {
  const { n1, n2, n3, taps } = parameters;
  const points = n1 * n2 * n3;
  return { bytes: 2 * points * elementBytes, flops: 3 * 2 * taps.length * points };
}

export const convolution = defineOperator<ConvolutionParameters, ConvolutionFields>({
  name: 'convolution',
  parameters: { n1: count, n2: count, n3: count },
  check: (parameters) => checkTaps('convolution', 'taps', parameters),
  fields: { input: 'real', output: 'real' },
  cost,
  reference: volumeReference,
  wasm: async () => (await import('./wasm-volume.ts')).default,
  webgpu: async () => (await import('./webgpu-volume.ts')).default,
});
