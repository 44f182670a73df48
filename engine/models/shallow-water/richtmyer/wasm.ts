/** The Richtmyer scheme in SIMD. */
import { flatBottomWasm } from '../flat-bottom/devices.ts';

export default flatBottomWasm('richtmyer', true);
