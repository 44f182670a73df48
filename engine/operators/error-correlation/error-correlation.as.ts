// A ← A + (C − I) among the observations that are used (index.ts). A part is a row of C: its entries are all below the diagonal, so
// that an element of A and its mirror image belong to one part.

import { ErrorCorrelation } from './index';

function add(address: usize, value: f32): void {
  f32.store(address, f32.load(address) + value);
}

export function errorCorrelation(p: ErrorCorrelation, a: i32, scratch: usize): void {
  const row = <usize>a << 2;
  if (f32.load(p.inverseErrorStd + row) == 0) return;
  const stride = <usize>p.observations << 2;
  const last = i32.load(p.indptr + row, 4);
  for (let k = i32.load(p.indptr + row); k < last; k++) {
    const entry = <usize>k << 2;
    const b = i32.load(p.indices + entry);
    const column = <usize>b << 2;
    if (b == a || f32.load(p.inverseErrorStd + column) == 0) continue;
    const value = f32.load(p.correlation + entry);
    add(p.matrix + <usize>a * stride + column, value);
    add(p.matrix + <usize>b * stride + row, value);
  }
}
