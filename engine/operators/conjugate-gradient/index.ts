/**
 * Conjugate gradients for a symmetric positive definite system whose matrix is known by what it does to a vector, with every
 * scalar on the device (Hestenes and Stiefel 1952): as many iterations are queued as were needed lately, those after the last
 * do nothing, and only where they did not do is the host waited for. The spectrum comes along for free, from the Lanczos matrix of the same scalars.
 */
export { PROGRESS, STATUS } from './layout.ts';
export { ritzValues } from './lanczos.ts';
export type { LanczosMatrix } from './lanczos.ts';
export { createMinimiser } from './minimiser.ts';
export type { Look, Minimiser, MinimiserOptions, WholeMinimisation } from './minimiser.ts';
export { initialisation, iteration } from './operators.ts';
export type { MinimisationReport, OuterLoop } from './report.ts';
export { tridiagonalEigenvalues } from './tridiagonal-eigenvalues.ts';
