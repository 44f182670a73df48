/** Localisation on the GPU: what the kernels that weigh by distance share. */
import bins from './bins.wgsl?raw';
import gaspariCohn from './gaspari-cohn.wgsl?raw';
import shortest from './shortest.wgsl?raw';
import taper from './taper.wgsl?raw';

/** The weight by distance, distances, and the bins within reach. */
export const localWeightCode: readonly string[] = [gaspariCohn, shortest, bins];

/** The taper between two places, for kernels whose `parameters` begin with those of `TaperGeometry`. */
export const taperCode: readonly string[] = [gaspariCohn, shortest, taper];
