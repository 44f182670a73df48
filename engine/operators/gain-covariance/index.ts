/**
 * P Hᵀ of the stochastic EnKF with a tapered sample covariance [gain-gpu, evensen1994]:
 *
 *   P_HT = (C ∘ (e eᵀ)) Hᵀ / (L − 1)
 *
 * e holds the L anomalies of the ensemble, C the taper (symmetric, block Toeplitz with Toeplitz blocks, so that its first row
 * determines it), H the observation operator in compressed rows. No n × n array is formed: only the columns that H touches
 * are sampled, of those only the rows in reach of the taper, and Hᵀ is applied in the same sum,
 *
 *   P_HT[i, j] = Σ_l e[i, l] · Σ_(nonzeros of row j) h · C(i, column) · e[column, l] / (L − 1).
 *
 * Every element has one owner, so that each run gives the same bits.
 */
import { defineOperator, sampled } from '../../compute/define-operator.ts';
import { gainCovarianceFields, gainCovarianceReference } from './reference.ts';
import type { GainCovarianceParameters } from './reference.ts';

export type { GainCovarianceParameters, gainCovarianceFields } from './reference.ts';

/** Cells in reach of one cell. */
function cellsInReach({ nx, ny, reachX, reachY }: GainCovarianceParameters): number {
  return Math.min(nx, 2 * reachX + 1) * Math.min(ny, 2 * reachY + 1);
}

/** Columns of P_HT. Cost: 2(L + 1) operations for each nonzero of H and element in reach of it. */
export const gainCovariance = defineOperator<GainCovarianceParameters, typeof gainCovarianceFields>({
  name: 'gain-covariance',
  parameters: { members: sampled },
  fields: gainCovarianceFields,
  cost: (parameters, elementBytes) => {
    const { nx, ny, variables, members, observations, nonzeros } = parameters;
    const state = variables * ny * nx;
    return {
      bytes:
        elementBytes * (members * state + ny * nx + observations * state + nonzeros) +
        4 * (nonzeros + observations + 1),
      flops: 2 * (members + 1) * nonzeros * variables * cellsInReach(parameters),
    };
  },
  reference: gainCovarianceReference,
  wasm: async () => (await import('./devices.ts')).gainCovarianceWasm,
  webgpu: async () => (await import('./devices.ts')).gainCovarianceWebGpu,
});
