/** The poles of the inverse square root as the float32 kernels read them: a class for each range of conditions. */
import { polesFor } from './inverse-root-poles.ts';

/** Pole classes hold for conditions up to 4, 16, …, 4^10 = 2^20, beyond which SMALLEST_UNIT of locality.wgsl does not go. */
export const POLE_CLASSES = 10;

/** Entries of a pole class; POLE_STRIDE of locality.wgsl and of analysis.as.ts. Fifteen poles are enough for the last one. */
const POLE_STRIDE = 16;

/** Error of the inverse root relative to itself: that of float32. */
const POLE_TOLERANCE = 1e-7;

let table: Float64Array | undefined;

/** [class][pole](shift, weight of the root, weight of f = weight/shift, number of poles of the class). */
export function poleTable(): Float64Array {
  if (table) return table;
  table = new Float64Array(POLE_CLASSES * POLE_STRIDE * 4);
  for (let c = 0; c < POLE_CLASSES; c++) {
    const poles = polesFor(4 ** (c + 1), POLE_TOLERANCE);
    for (const [m, { shift, weight }] of poles.entries()) {
      table.set([shift, weight, weight / shift, poles.length], 4 * (c * POLE_STRIDE + m));
    }
  }
  return table;
}
