// Four localisation weights at a time (taper.ts).

import { multiplyAdd } from '../../compute/wasm/simd-library.as';

// @ts-ignore: decorator
@inline
function constant(value: f32): v128 {
  return f32x4.splat(value);
}

/** The Gaspari–Cohn function of four distances over the half-width: 1 at 0, 0 from 2 on. */
// @ts-ignore: decorator
@inline
export function gaspariCohn(z: v128): v128 {
  // 1 − z² (5/3 − z (5/8 + z (1/2 − z/4)))
  const cubic = f32x4.add(
    constant(0.625),
    f32x4.mul(z, f32x4.sub(constant(0.5), f32x4.mul(constant(0.25), z))),
  );
  const inner = f32x4.sub(
    constant(1),
    f32x4.mul(f32x4.mul(z, z), f32x4.sub(constant(<f32>(5.0 / 3.0)), f32x4.mul(z, cubic))),
  );
  // (2 − z)⁴ (z² + 2z − ½)/(12 z)
  const toEdge = f32x4.sub(constant(2), z);
  const square = f32x4.mul(toEdge, toEdge);
  const outer = f32x4.div(
    f32x4.mul(f32x4.mul(square, square), f32x4.sub(f32x4.mul(z, f32x4.add(z, constant(2))), constant(0.5))),
    f32x4.mul(constant(12), z),
  );
  const weight = v128.bitselect(inner, outer, f32x4.le(z, constant(1)));
  return v128.and(weight, f32x4.lt(z, constant(2)));
}

/** Differences of coordinates on a periodic axis, brought to the shortest of their images. */
// @ts-ignore: decorator
@inline
export function shortest(difference: v128, period: f32): v128 {
  return f32x4.sub(
    difference,
    f32x4.mul(f32x4.nearest(f32x4.div(difference, f32x4.splat(period))), f32x4.splat(period)),
  );
}

/** The taper of four differences of coordinates, cells, for a block that begins with `TAPER_GEOMETRY`. */
// @ts-ignore: decorator
@inline
export function taper<Parameters>(p: Parameters, differenceX: v128, differenceY: v128): v128 {
  const x = p.periodicX ? shortest(differenceX, <f32>p.nx) : differenceX;
  const y = f32x4.mul(f32x4.splat(p.aspect), p.periodicY ? shortest(differenceY, <f32>p.ny) : differenceY);
  const distance = f32x4.sqrt(multiplyAdd(x, x, f32x4.mul(y, y)));
  return gaspariCohn(f32x4.mul(distance, f32x4.splat(p.perHalfWidth)));
}
