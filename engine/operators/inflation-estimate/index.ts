/**
 * One inflation factor for all cells from the innovations of a cycle, by a scalar Kalman update with a prior variance. The update
 * is derived from [miyoshi2011], where every cell has a factor of its own from the observations near it; this one is global, and
 * held at 1 or above. With
 * T = tr(HPᶠHᵀR⁻¹) of the ensemble as it is, and ρ that the cycle was analysed with,
 *
 *   ρᵒ = (dᵀR⁻¹d − p)/T,   v_o = (2/p) ((ρT + p)/T)²,   ρ ← ρ + v_b/(v_b + v_o) (ρᵒ − ρ),
 *
 * since E ddᵀ = ρ HPᶠHᵀ + R where ρ is right; v_o is the variance of ρᵒ were the innovations independent. Or by the ratio of
 * [desroziers2005], E (H x̄ᵃ − H x̄ᶠ) dᵀ = ρ HPᶠHᵀ, for which the analysis is looked at instead of σₒ:
 *
 *   ρᵒ = (d − dᵃ)ᵀR⁻¹d / T,   v_o = (2/p) ρ².
 *
 * p counts the observations that are used; without any, or where the ensemble has no spread there, ρ stays as it is. Sums are
 * float64 in `reference` and `wasm`.
 */
import type { Operator } from '../../compute/backend.ts';
import { inflationEstimateFields } from './parameters.ts';
import type { InflationEstimateFields, InflationEstimateParameters } from './parameters.ts';
import { inflationEstimateReference } from './reference.ts';

export type { InflationEstimateFields, InflationEstimateParameters } from './parameters.ts';

/** Cost: each of four numbers of an observation once; some eight operations. */
export const inflationEstimate: Operator<InflationEstimateParameters, InflationEstimateFields> = {
  name: 'inflation-estimate',
  fields: inflationEstimateFields,
  cost: ({ observations }, elementBytes) => ({
    bytes: (4 * observations + 2) * elementBytes,
    flops: 8 * observations + 12,
  }),
  implementations: {
    reference: inflationEstimateReference,
    wasm: async () => (await import('./wasm.ts')).default,
    webgpu: async () => (await import('./webgpu.ts')).default,
  },
};
