/**
 * A combination of an ensemble's anomalies with weights of their own in every cell, the same for all variables [lorenc2003], and
 * its adjoint:
 *
 *   x = Σ_i X_i ∘ w_i,   w_i = Σ_v X_iv ∘ x_v,
 *
 * the Schur products of anomaly i with a plane of weights. With w = F a and F Fᵀ = C the first is a square root of C ∘ X Xᵀ.
 */
import type { Cost, Operator } from '../../compute/backend.ts';
import { LimitError } from '../../errors.ts';
import { schurProductFields } from './parameters.ts';
import type { SchurProductParameters } from './parameters.ts';
import { reference } from './reference.ts';

export type { SchurProductParameters, schurProductFields } from './parameters.ts';

/** @throws LimitError when a count is not a positive integer */
function validate(parameters: SchurProductParameters): SchurProductParameters {
  for (const name of ['members', 'variables', 'cells'] as const) {
    const found = parameters[name];
    if (!Number.isInteger(found) || found < 1) {
      throw new LimitError(`schur-product: ${name} is ${found}, it must be an integer of at least 1`);
    }
  }
  return parameters;
}

/** Anomalies, weights and state once; a multiplication and an addition an anomaly. */
function cost(parameters: SchurProductParameters, elementBytes: number): Cost {
  const { members, variables, cells } = validate(parameters);
  return {
    bytes: (members * variables + members + variables) * cells * elementBytes,
    flops: 2 * members * variables * cells,
  };
}

export const schurProduct: Operator<SchurProductParameters, typeof schurProductFields> = {
  name: 'schur-product',
  fields: schurProductFields,
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
