// xᵀy of a run of elements, in float64: a part is a run, and its sum is one number.

import { loadFirst, accumulate, total } from '../../compute/wasm/simd-library.as';

import { DotProduct } from './index';

export function dotProduct(p: DotProduct, part: i32, scratch: usize): void {
  const end = min((part + 1) * p.segment, p.length);
  let sums = f64x2.splat(0);
  for (let i = part * p.segment; i < end; i += 4) {
    const at = <usize>i << 2;
    sums = accumulate(sums, f32x4.mul(loadFirst(p.x + at, end - i, 0), loadFirst(p.y + at, end - i, 0)));
  }
  f64.store(p.sums + (<usize>part << 3), total(sums));
}
