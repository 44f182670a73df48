// The projection onto increments of water that is there (index.ts), four cells at a time. A part is a run of cells.

import { loadFirst, storeFirst } from '../../compute/wasm/simd-library.as';

@unmanaged
class WetProjection {
  variables: i32;
  cells: i32;
  segment: i32;
  dryDepth: f32;
  background: usize;
  bed: usize;
  increment: usize;
}

export function wetProjection(p: WetProjection, part: i32, scratch: usize): void {
  const cells = <usize>p.cells << 2;
  const end = min((part + 1) * p.segment, p.cells);
  const dryDepth = f32x4.splat(p.dryDepth);
  for (let cell = part * p.segment; cell < end; cell += 4) {
    const count = end - cell;
    const at = <usize>cell << 2;
    const depth = f32x4.sub(loadFirst(p.background + at, count, 0), loadFirst(p.bed + at, count, 0));
    const wet = f32x4.gt(depth, dryDepth);
    if (i32x4.all_true(wet)) continue;
    let target = p.increment + at;
    for (let variable = 0; variable < p.variables; variable++) {
      storeFirst(target, v128.and(loadFirst(target, count, 0), wet), count);
      target += cells;
    }
  }
}
