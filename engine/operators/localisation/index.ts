/**
 * Localisation by distance: the Gaspari–Cohn weight [gaspari1999], the taper of a covariance made of it, and the index that
 * finds the observations near a grid point. The LETKF, the tapered gain and the observed ensemble are built on it.
 */
export { gaspariCohn } from './gaspari-cohn.ts';
export { binGeometry, binsWithinReach, createLocaliser, localObservations } from './local-observations.ts';
export type { LocalisationGrid, LocalObservations } from './local-observations.ts';
export { shortest, taperBetween } from './taper.ts';
export type { TaperGeometry } from './taper.ts';
export { taperRow } from './taper-row.ts';
