// Increments restricted to water that can hold them (index.ts), four cells at a time. A part is a run of cells.

import { loadFirst, storeFirst } from '../../compute/wasm/simd-library.as';
import { WetProjection } from './index';

export function wetProjection(p: WetProjection, part: i32, scratch: usize): void {
  const cells = <usize>p.cells << 2;
  const end = min((part + 1) * p.segment, p.cells);
  const dryDepth = f32x4.splat(p.dryDepth);
  const thinDepth = f32x4.splat(p.thinDepth);
  for (let cell = part * p.segment; cell < end; cell += 4) {
    const count = end - cell;
    const at = <usize>cell << 2;
    const depth = f32x4.sub(loadFirst(p.background + at, count, 0), loadFirst(p.bed + at, count, 0));
    const wet = f32x4.gt(depth, dryDepth);
    const whole = v128.and(wet, f32x4.ge(depth, thinDepth));
    if (i32x4.all_true(whole)) continue;
    const share = v128.bitselect(f32x4.splat(1), f32x4.div(depth, thinDepth), whole);
    let target = p.increment + at;
    for (let variable = 0; variable < p.variables; variable++) {
      storeFirst(target, v128.and(f32x4.mul(share, loadFirst(target, count, 0)), wet), count);
      target += cells;
    }
  }
}
