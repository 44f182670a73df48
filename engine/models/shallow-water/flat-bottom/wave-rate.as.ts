// How fast the waves of an ensemble are.

import { loadFirst } from '../../../compute/wasm/simd-library.as';
import { reportLargest } from '../water-library.as';
import { FlatBottom } from './index';

/** The largest wave rate of a member's rows, 1/s, into the first word of the part's report; 0 without water. */
export function flatBottomWaveRate(p: FlatBottom, part: i32, scratch: usize): void {
  const member = part / p.bands;
  const j0 = (part % p.bands) * p.rowsPerBand;
  const j1 = min(j0 + p.rowsPerBand, p.ny);
  const cells = <usize>p.nx * <usize>p.ny * 4;
  const home = p.state + <usize>member * 3 * cells;
  const end = j1 * p.nx;
  const gravity = f32x4.splat(p.gravity);
  const perX = f32x4.splat(1 / p.dx);
  const perY = f32x4.splat(1 / p.dy);
  const zero = f32x4.splat(0);
  let largest = zero;
  for (let cell = j0 * p.nx; cell < end; cell += 4) {
    const at = home + (<usize>cell << 2);
    const h = loadFirst(at, end - cell, 0);
    const u = f32x4.div(f32x4.abs(loadFirst(at + cells, end - cell, 0)), h);
    const v = f32x4.div(f32x4.abs(loadFirst(at + 2 * cells, end - cell, 0)), h);
    const c = f32x4.sqrt(f32x4.mul(gravity, h));
    const rate = f32x4.max(f32x4.mul(f32x4.add(u, c), perX), f32x4.mul(f32x4.add(v, c), perY));
    largest = f32x4.max(largest, v128.and(rate, f32x4.gt(h, zero)));
  }
  reportLargest(p.reports, part, largest);
}
