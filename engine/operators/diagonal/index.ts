/**
 * Multiplication by a diagonal matrix: y = s ∘ x, the same s for every field of a batch. Its own adjoint. Standard
 * deviations and the normalisation of a covariance to unit variance are applied with it.
 */
import { inRunsOfLayers, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';

/** Cost: input and output once, the scale once; one multiplication an element. */
export const diagonal = kernelOperator({
  name: 'diagonal',
  block: parameterBlock('Diagonal', {
    /** Elements of `scale`, and of each field. */
    length: 'count',
    /** Number of fields, one after another. */
    batch: 'count',
    segment: 'part',
    segments: 'part',
    /** [length] */
    scale: 'read real',
    /** [batch][length] */
    input: 'read real',
    /** [batch][length] */
    output: 'write real',
  }),
  cost: ({ length, batch }, elementBytes) => ({
    bytes: (2 * batch + 1) * length * elementBytes,
    flops: batch * length,
  }),
  reference:
    ({ length, batch }) =>
    ({ scale, input, output }) => {
      for (let field = 0; field < batch; field++) {
        const start = field * length;
        for (let i = 0; i < length; i++) output[start + i] = scale[i] * input[start + i];
      }
    },
  wasm: ({ length, batch }) => ({ kernel: 'diagonal', ...inRunsOfLayers(length, batch, 65_536) }),
  webgpu: {
    code: () => [import('./diagonal.wgsl?raw')],
    items: ({ length, batch }) => length * batch,
  },
});
