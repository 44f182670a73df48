/** Localisation on the GPU: what the kernels that weigh by distance share. */
import { partsOf } from '../../compute/webgpu/program.ts';
import source from './localisation.wgsl?raw';

const part = partsOf(source);

/** The weight by distance, distances, and the bins within reach. */
export const localWeightCode: readonly string[] = [part('gaspari-cohn'), part('shortest'), part('bins')];

/** The taper between two places, for kernels whose `parameters` begin with those of `TaperGeometry`. */
export const taperCode: readonly string[] = [part('gaspari-cohn'), part('shortest'), part('taper')];
