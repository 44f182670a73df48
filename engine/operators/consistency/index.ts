/**
 * What shows whether the errors that a method states agree with its errors, and what its analyses do to the water; reduced
 * on the device to a few numbers of each cycle.
 *
 * - `departureProducts`: innovations and residuals against the stated errors of background and observations.
 * - `sampledScores`: parts of the CRPS, and errors by bins of spread, of thinned cells.
 * - `bandSpectra`: errors, increment and spread by octaves of the wavenumber.
 * - `waterBudgets`: mass, energy, potential enstrophy and imbalance of truth, forecast and analysis.
 *
 * Sums are in a fixed order: the same data give the same bits.
 */
export { bandSpectra } from './band-spectra.ts';
export { DEPARTURE_PRODUCTS, departureProducts, readDepartureProducts } from './departure-products.ts';
export { sampledRows, SPECTRA, WATER_BUDGET } from './parameters.ts';
export { sampledScores, sampleStride } from './sampled-scores.ts';
export { spectralOctaves, spectralPlan } from './spectral-plan.ts';
export type { SpectralGrid } from './spectral-plan.ts';
export { waterBudgets } from './water-budgets.ts';
