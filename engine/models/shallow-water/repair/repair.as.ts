// The repair of states (index.ts), four cells at a time. A part is a run of cells of one member.

import { loadFirst, storeFirst } from '../../../compute/wasm/simd-library.as';
import { Repair } from './wasm';

export function repair(p: Repair, part: i32, scratch: usize): void {
  const cells = <usize>p.cells << 2;
  const start = (part % p.segments) * p.segment;
  const end = min(start + p.segment, p.cells);
  const member = p.state + <usize>(part / p.segments) * 3 * cells;
  const floor = f32x4.splat(p.floor);
  const dryDepth = f32x4.splat(p.dryDepth);
  for (let cell = start; cell < end; cell += 4) {
    const count = end - cell;
    const place = <usize>cell << 2;
    const at = member + place;
    const ground = p.bed == 0 ? f32x4.splat(0) : loadFirst(p.bed + place, count, 0);
    const least = f32x4.add(ground, floor);
    const surface = loadFirst(at, count, 0);
    const raised = f32x4.lt(surface, least);
    const repaired = v128.bitselect(least, surface, raised);
    const dry = f32x4.le(f32x4.sub(repaired, ground), dryDepth);
    // Most water needs nothing.
    if (!v128.any_true(v128.or(raised, dry))) continue;
    storeFirst(at, repaired, count);
    storeFirst(at + cells, v128.andnot(loadFirst(at + cells, count, 0), dry), count);
    storeFirst(at + 2 * cells, v128.andnot(loadFirst(at + 2 * cells, count, 0), dry), count);
  }
}
