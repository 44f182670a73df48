/** The Richtmyer scheme in SIMD. */
import { flatBottomWasm } from '../flat-bottom/wasm.ts';

export default flatBottomWasm('richtmyer', true);
