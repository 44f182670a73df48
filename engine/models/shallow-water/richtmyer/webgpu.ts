/** The Richtmyer scheme on a GPU. */
import { flatBottomWebGpu } from '../flat-bottom/devices.ts';
import { CHECKERBOARD_DAMPING } from './damping.ts';
import source from './richtmyer.wgsl?raw';

export default flatBottomWebGpu('richtmyer', source, { DAMPING: CHECKERBOARD_DAMPING / 16 });
