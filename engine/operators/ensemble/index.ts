/**
 * Ensembles as wholes: [members][length] arrays, members outermost, whatever a member's `length` elements are (a state, or
 * the observations seen from it).
 *
 * - `ensembleMean`, `ensembleVariance`, `anomalies`: moments.
 * - `recentring`, `inflation`, `inflationBy`, `perturbation`, `relaxation`: ensembles from mean, anomalies, noise, and the background's spread.
 * - `ensembleTransform`: products with a members × members matrix, such as `meanPreservingRotation` makes.
 *
 * All arrange sums around the first member or the mean, so that float32 keeps the digits of small differences.
 */
export { anomalies, ensembleMean, ensembleVariance } from './moments.ts';
export { ensembleTransform, inflation, inflationBy, perturbation, recentring, relaxation } from './recombination.ts';
export { meanPreservingRotation } from './rotation.ts';
