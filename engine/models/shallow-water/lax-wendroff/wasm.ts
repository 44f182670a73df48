/** The Lax–Wendroff scheme in SIMD. */
import { flatBottomWasm } from '../flat-bottom/devices.ts';

export default flatBottomWasm('laxWendroff', false);
