/**
 * Observation errors that go together, in the system of the stochastic EnKF: with R = D C D, D the standard deviations and C the
 * correlations,
 *
 *   A ← A + (C − I),   A = I + D⁻¹ H P Hᵀ D⁻¹ before,
 *
 * in both triangles, between observations that are used: those that are absent keep their row of the identity.
 */
import type { Cost, Operator } from '../../compute/backend.ts';
import { LimitError } from '../../errors.ts';
import { errorCorrelationFields } from './parameters.ts';
import type { ErrorCorrelationParameters } from './parameters.ts';
import { reference } from './reference.ts';

export type { ErrorCorrelationParameters, errorCorrelationFields } from './parameters.ts';

/** @throws LimitError when a count is not a positive integer */
function validate(parameters: ErrorCorrelationParameters): ErrorCorrelationParameters {
  for (const name of ['observations', 'nonzeros'] as const) {
    const found = parameters[name];
    if (!Number.isInteger(found) || found < 1) {
      throw new LimitError(`error-correlation: ${name} is ${found}, it must be an integer of at least 1`);
    }
  }
  return parameters;
}

/** An entry reads its column, its value and the column's deviation, and changes two elements of the matrix. */
function cost(parameters: ErrorCorrelationParameters, elementBytes: number): Cost {
  const { nonzeros } = validate(parameters);
  return { bytes: nonzeros * (4 + 6 * elementBytes), flops: 2 * nonzeros };
}

export const errorCorrelation: Operator<ErrorCorrelationParameters, typeof errorCorrelationFields> = {
  name: 'error-correlation',
  fields: errorCorrelationFields,
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
