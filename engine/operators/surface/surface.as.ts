// States as they are looked at (index.ts), four elements at a time. A part is a run of elements.

import { loadFirst, storeFirst } from '../../compute/wasm/simd-library.as';
import { StandardDeviation, SurfaceElevation } from './index';

export function surfaceElevation(p: SurfaceElevation, part: i32, scratch: usize): void {
  const start = part * p.segment;
  const end = min(start + p.segment, p.cells);
  for (let cell = start; cell < end; cell += 4) {
    const at = <usize>cell << 2;
    const sum = f32x4.add(loadFirst(p.state + at, end - cell, 0), loadFirst(p.bed + at, end - cell, 0));
    storeFirst(p.planes + at, sum, end - cell);
  }
  const bytes = <usize>(end - start) << 2;
  for (let variable = 1; variable < p.variables; variable++) {
    const at = <usize>(variable * p.cells + start) << 2;
    memory.copy(p.planes + at, p.state + at, bytes);
  }
}

export function standardDeviation(p: StandardDeviation, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.length);
  for (let i = part * p.segment; i < end; i += 4) {
    const at = <usize>i << 2;
    const variance = f32x4.max(loadFirst(p.variance + at, end - i, 0), f32x4.splat(0));
    storeFirst(p.deviation + at, f32x4.sqrt(variance), end - i);
  }
}
