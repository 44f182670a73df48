/** The Lax–Wendroff scheme on a GPU. */
import { flatBottomWebGpu } from '../flat-bottom/devices.ts';
import source from './lax-wendroff.wgsl?raw';

export default flatBottomWebGpu('lax-wendroff', source);
