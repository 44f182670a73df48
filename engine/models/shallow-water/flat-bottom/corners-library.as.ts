// Sums over the four cells around corners, and over the four corners of cells: four at a time, of arrays of the rows south and north.

import { multiplyAdd, negatedMultiplyAdd } from '../../../compute/wasm/simd-library.as';

/**
 * ¼ Σ q − ratioX·δₓf − ratioY·δᵧg over the four cells around each of four corners, arrays of the rows south and north of them.
 * What is odd across a wall sums to exactly 0 there: no water passes it.
 */
// @ts-ignore: decorator
@inline
export function halfway(south: usize, north: usize, q: usize, f: usize, g: usize, ratioX: v128, ratioY: v128): v128 {
  const sum = f32x4.add(
    f32x4.add(v128.load(south + q - 4), v128.load(south + q)),
    f32x4.add(v128.load(north + q - 4), v128.load(north + q)),
  );
  const alongX = f32x4.sub(
    f32x4.add(v128.load(south + f), v128.load(north + f)),
    f32x4.add(v128.load(south + f - 4), v128.load(north + f - 4)),
  );
  const alongY = f32x4.sub(
    f32x4.add(v128.load(north + g - 4), v128.load(north + g)),
    f32x4.add(v128.load(south + g - 4), v128.load(south + g)),
  );
  return negatedMultiplyAdd(ratioY, alongY, negatedMultiplyAdd(ratioX, alongX, f32x4.mul(f32x4.splat(0.25), sum)));
}

/** ratioX·δₓf + ratioY·δᵧg over the four corners of each of four cells. */
// @ts-ignore: decorator
@inline
export function divergence(below: usize, above: usize, f: usize, g: usize, ratioX: v128, ratioY: v128): v128 {
  const alongX = f32x4.sub(
    f32x4.add(v128.load(below + f, 4), v128.load(above + f, 4)),
    f32x4.add(v128.load(below + f), v128.load(above + f)),
  );
  const alongY = f32x4.sub(
    f32x4.add(v128.load(above + g), v128.load(above + g, 4)),
    f32x4.add(v128.load(below + g), v128.load(below + g, 4)),
  );
  return multiplyAdd(ratioX, alongX, f32x4.mul(ratioY, alongY));
}
