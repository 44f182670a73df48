/** The Lax–Wendroff scheme in SIMD. */
import { flatBottomWasm } from '../flat-bottom/wasm.ts';

export default flatBottomWasm('laxWendroff', false);
