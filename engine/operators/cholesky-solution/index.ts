/**
 * Dense symmetric positive definite systems A X = B by Cholesky factorisation, A = L Lᵀ: the observation-space solve of the
 * stochastic EnKF [evensen1994], where A = I + R^−½ H P Hᵀ R^−½.
 *
 * On the GPU the factorisation is blocked and right-looking with 32 columns a panel. The right-hand sides are kept as rows
 * and carried along below the matrix, so that the factorisation itself does the forward substitution (their rows become
 * (L⁻¹ B)ᵀ); one dispatch then substitutes back. Dispatches: 2⌈m / 32⌉.
 */
import { defineOperator } from '../../compute/define-operator.ts';
import { choleskySolutionReference, choleskySubstitutionReference } from './reference.ts';
import type { CholeskySolutionFields, CholeskySolutionParameters, CholeskySubstitutionFields } from './reference.ts';

export type { CholeskySolutionFields, CholeskySolutionParameters, CholeskySubstitutionFields } from './reference.ts';

/** Solves A X = B for a symmetric positive definite A. Cost: m³/3 + 2m²r operations. */
export const choleskySolution = defineOperator<CholeskySolutionParameters, CholeskySolutionFields>({
  name: 'cholesky-solution',
  fields: { matrix: 'real', solution: 'real', status: 'index' },
  cost: ({ size, rightHandSides }, elementBytes) => ({
    // Every panel of 32 columns reads and writes what is left of the lower triangle.
    bytes: elementBytes * (size ** 3 / 96 + size ** 2 / 2 + 2 * rightHandSides * size * (1 + size / 64)),
    flops: size ** 3 / 3 + 2 * size ** 2 * rightHandSides,
  }),
  reference: choleskySolutionReference,
  wasm: async () => (await import('./devices.ts')).choleskySolutionWasm,
  webgpu: async () => (await import('./devices.ts')).choleskySolutionWebGpu,
});

/** Solves A X = B once more, for other right-hand sides, with the factor that `choleskySolution` has left. Cost: 2m²r operations. */
export const choleskySubstitution = defineOperator<CholeskySolutionParameters, CholeskySubstitutionFields>({
  name: 'cholesky-substitution',
  fields: { matrix: 'real', solution: 'real' },
  cost: ({ size, rightHandSides }, elementBytes) => ({
    // The lower triangle once down and once up.
    bytes: elementBytes * (size ** 2 + 2 * rightHandSides * size),
    flops: 2 * size ** 2 * rightHandSides,
  }),
  reference: choleskySubstitutionReference,
  wasm: async () => (await import('./devices.ts')).choleskySubstitutionWasm,
  webgpu: async () => (await import('./devices.ts')).choleskySubstitutionWebGpu,
});
