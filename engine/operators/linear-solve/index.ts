/**
 * Dense symmetric positive definite systems A X = B by Cholesky factorisation, A = L Lᵀ: the observation-space solve of the
 * stochastic EnKF [evensen1994], where A = I + R^−½ H P Hᵀ R^−½.
 *
 * On the GPU the factorisation is blocked and right-looking with 32 columns a panel. The right-hand sides are kept as rows
 * and carried along below the matrix, so that the factorisation itself does the forward substitution (their rows become
 * (L⁻¹ B)ᵀ); one dispatch then substitutes back. Dispatches: 2⌈m / 32⌉.
 */
import type { Operator } from '../../compute/backend.ts';
import { choleskySolveReference } from './reference.ts';

export interface CholeskySolveParameters {
  /** Rows of the matrix, m, from 1 on. */
  readonly size: number;
  /** Right-hand sides, r, from 1 on. */
  readonly rightHandSides: number;
}

export type CholeskySolveFields = {
  /** [m][m], symmetric positive definite; only the lower triangle is read. Work space: its contents afterwards mean nothing. */
  readonly matrix: 'real';
  /** [r][m]: the right-hand sides, each a row, going in; the solutions coming out. */
  readonly solution: 'real';
  /**
   * [1]: 0 when every pivot was positive and finite; otherwise 1 + the row of the first that was not. Such a pivot's unknown
   * is left out (its column of L is 0), so that the solution is not that of the system but also not NaN by division.
   */
  readonly status: 'index';
};

/** Solves A X = B for a symmetric positive definite A. Cost: m³/3 + 2m²r operations. */
export const choleskySolve: Operator<CholeskySolveParameters, CholeskySolveFields> = {
  name: 'cholesky-solve',
  fields: { matrix: 'real', solution: 'real', status: 'index' },
  cost: ({ size, rightHandSides }, elementBytes) => ({
    // Every panel of 32 columns reads and writes what is left of the lower triangle.
    bytes: elementBytes * (size ** 3 / 96 + size ** 2 / 2 + 2 * rightHandSides * size * (1 + size / 64)),
    flops: size ** 3 / 3 + 2 * size ** 2 * rightHandSides,
  }),
  reference: choleskySolveReference,
  webgpu: () => import('./webgpu.ts'),
};
