/**
 * Conjugate gradients for a symmetric positive definite system whose matrix is known by what it does to a vector, with every
 * scalar on the device (Hestenes and Stiefel 1952): a minimisation waits for the host only to ask, every few iterations,
 * whether it is done. The spectrum comes along for free, from the Lanczos matrix of the same scalars.
 */
export { createMinimiser } from './minimiser.ts';
export type { Minimisation, Minimiser, MinimiserOptions } from './minimiser.ts';
export { advance, begin } from './operators.ts';
export type { AdvanceParameters } from './parameters.ts';
export { minimisationReport } from './report.ts';
export type { MinimisationReport } from './report.ts';
export { tridiagonalEigenvalues } from './tridiagonal-eigenvalues.ts';
