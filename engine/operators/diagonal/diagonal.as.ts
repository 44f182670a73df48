// output = scale ∘ input: a part is a run of elements of one field.

import { loadFirst, storeFirst } from '../../compute/wasm/simd-library.as';
import { Diagonal } from './index';

export function diagonal(p: Diagonal, part: i32, scratch: usize): void {
  const first = (part % p.segments) * p.segment;
  const end = min(first + p.segment, p.length);
  const field = <usize>((part / p.segments) * p.length) << 2;
  for (let i = first; i < end; i += 4) {
    const at = <usize>i << 2;
    const product = f32x4.mul(loadFirst(p.scale + at, end - i, 0), loadFirst(p.input + field + at, end - i, 0));
    storeFirst(p.output + field + at, product, end - i);
  }
}
