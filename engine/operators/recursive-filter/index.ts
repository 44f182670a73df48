/**
 * The K-iterated first-order Gaussian recursive filter [rf-gpu, purser2003], of standard deviation σ in grid points:
 *
 *   E = K/σ², α = 1 + E − √(E(E + 2)), β = 1 − α, M = 1/(1 + α); for k = 1 … K
 *   p₀ = βs₀ if k = 1, else M s₀;  p_j = βs_j + αp_{j−1};  s_{N−1} = M p_{N−1};  s_j = βp_j + αs_{j+1}.
 *
 * A field is filtered along x, then along y. With these end conditions the matrix is symmetric; `transpose` nevertheless
 * applies the adjoint of each sweep. Two forms, equal to rounding: the literal sweeps, and the composite FIR of all of them
 * with rows of its own near the ends (band.ts), which wins when iterations are many and σ is small.
 */
import type { Cost, Operator } from '../../compute/backend.ts';
import { planFilter } from './plan.ts';
import type { AxisPlan } from './plan.ts';
import { reference } from './reference.ts';
import type { RecursiveFilterParameters, RecursiveFilterFields } from './parameters.ts';

export type { RecursiveFilterParameters, RecursiveFilterFields } from './parameters.ts';

export { filterCost, reachAlong } from './filter-cost.ts';
export { filterDeviation } from './filter-deviation.ts';
export { filterReach, filterSymbol, recursiveFilterTaps } from './taps.ts';
export { filterBands } from './plan.ts';
export { recursiveFilterBand, recursiveFilterVariance } from './variance.ts';

/** Operations a point along one axis: 3 each way and iteration (v = s + α(v − s)), or 2 a tap. */
function axisFlops(axis: AxisPlan): number {
  if (axis.form === 'sweeps') return 6 * axis.iterations;
  return axis.form === 'fir' ? 2 * axis.width : 0;
}

/** Each filtered axis reads and writes the fields once (all iterations are made in one visit). */
function cost(parameters: RecursiveFilterParameters, elementBytes: number): Cost {
  const axes = planFilter(parameters, elementBytes);
  const points = parameters.nx * parameters.ny * parameters.batch;
  const passes = Math.max(1, axes.filter(({ form }) => form !== 'none').length);
  return {
    bytes: 2 * passes * points * elementBytes,
    flops: points * axes.reduce((sum, axis) => sum + axisFlops(axis), 0),
  };
}

export const recursiveFilter: Operator<RecursiveFilterParameters, RecursiveFilterFields> = {
  name: 'recursive-filter',
  fields: { input: 'real', output: 'real' },
  cost,
  implementations: {
    reference,
    wasm: async () => (await import('./wasm.ts')).default,
    webgpu: async () => (await import('./webgpu.ts')).default,
  },
};
