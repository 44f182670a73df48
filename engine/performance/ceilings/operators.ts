/** The two kernels of the measurement. */
import type { Operator, RealArray } from '../../compute/backend.ts';
import type { StreamCopyParameters, MultiplyAddParameters } from './parameters.ts';

/** target = source, as a kernel. */
export const streamCopy: Operator<StreamCopyParameters, { source: 'real'; target: 'real' }> = {
  name: 'ceiling-copy',
  fields: { source: 'real', target: 'real' },
  cost: ({ length, repeats }, elementBytes) => ({ bytes: 2 * length * elementBytes * repeats, flops: 0 }),
  implementations: {
    reference:
      ({ repeats }) =>
      ({ source, target }) => {
        for (let n = 0; n < repeats; n++) target.set(source);
      },
    wasm: async () => (await import('./wasm.ts')).streamCopy,
    webgpu: async () => (await import('./webgpu.ts')).streamCopy,
  },
};

/** x ← 0.999 x + 0.001, `steps` times, for every value: the values stay between those they start from and 1. */
export const multiplyAdd: Operator<MultiplyAddParameters, { values: 'real' }> = {
  name: 'ceiling-multiply-add',
  fields: { values: 'real' },
  cost: ({ length, steps, repeats }, elementBytes) => ({
    bytes: 2 * length * elementBytes * repeats,
    flops: 2 * length * steps * repeats,
  }),
  implementations: {
    reference:
      ({ length, steps, repeats }) =>
      ({ values }) => {
        for (let n = 0; n < repeats; n++) advance(values, length, steps);
      },
    wasm: async () => (await import('./wasm.ts')).multiplyAdd,
    webgpu: async () => (await import('./webgpu.ts')).multiplyAdd,
  },
};

/** Four at a time, so that no multiply-add waits for the one before. */
function advance(values: RealArray, length: number, steps: number): void {
  for (let i = 0; i < length; i += 4) {
    let a = values[i];
    let b = values[i + 1];
    let c = values[i + 2];
    let d = values[i + 3];
    for (let s = 0; s < steps; s++) {
      a = 0.999 * a + 0.001;
      b = 0.999 * b + 0.001;
      c = 0.999 * c + 0.001;
      d = 0.999 * d + 0.001;
    }
    values[i] = a;
    values[i + 1] = b;
    values[i + 2] = c;
    values[i + 3] = d;
  }
}
