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
export type { RecursiveFilterParameters } from './parameters.ts';
export { filterCost, reachAlong } from './filter-cost.ts';
export { filterDeviation } from './filter-deviation.ts';
export { filterReach, filterSymbol, recursiveFilterTaps } from './taps.ts';
export { smoothSurfaceFilter } from './smooth-surface.ts';
export { filterBands } from './plan.ts';
export { recursiveFilterBand, recursiveFilterVariance } from './variance.ts';
export { recursiveFilter } from './operator.ts';
export { recursiveFilterTuning } from './tuning.ts';
