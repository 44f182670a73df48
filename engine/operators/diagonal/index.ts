/**
 * Multiplication by a diagonal matrix: y = s ∘ x, the same s for every field of a batch. Its own adjoint. Standard
 * deviations and the normalisation of a covariance to unit variance are applied with it.
 */
import type { Cost, Operator } from '../../compute/backend.ts';
import { LimitError } from '../../errors.ts';
import { reference } from './reference.ts';
import type { DiagonalParameters, DiagonalFields } from './parameters.ts';

export type { DiagonalParameters, DiagonalFields } from './parameters.ts';

/** @throws LimitError when a count is not a positive integer */
function validate(parameters: DiagonalParameters): DiagonalParameters {
  for (const name of ['length', 'batch'] as const) {
    const found = parameters[name];
    if (!Number.isInteger(found) || found < 1) {
      throw new LimitError(`diagonal: ${name} is ${found}, it must be an integer of at least 1; pass the field's size`);
    }
  }
  return parameters;
}

/** Input and output once, the scale once; one multiplication an element. */
function cost(parameters: DiagonalParameters, elementBytes: number): Cost {
  const { length, batch } = validate(parameters);
  return { bytes: (2 * batch + 1) * length * elementBytes, flops: batch * length };
}

export const diagonal: Operator<DiagonalParameters, DiagonalFields> = {
  name: 'diagonal',
  fields: { scale: 'real', input: 'real', output: 'real' },
  cost,
  implementations: {
    reference: (parameters) => reference(validate(parameters)),
    wasm: async () => {
      const { default: prepare } = await import('./wasm.ts');
      return (builder, parameters) => prepare(builder, validate(parameters));
    },
    webgpu: async () => (await import('./webgpu.ts')).default,
  },
};
