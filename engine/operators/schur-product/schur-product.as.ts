// The Schur products of anomalies with planes of weights (index.ts), four cells at a time: a part is a run of cells of one plane of
// the output, which is a sum of products of planes that are a stride apart.

import { loadFirst, multiplyAdd, storeFirst } from '../../compute/wasm/simd-library.as';
import { SchurProduct } from './index';

export function schurProduct(p: SchurProduct, part: i32, scratch: usize): void {
  const plane = <usize>p.cells << 2;
  const index = part / p.segments;
  const first = (part % p.segments) * p.segment;
  const end = min(first + p.segment, p.cells);
  const anomalies = p.anomalies + <usize>(index * p.anomalyPlane) * plane;
  const output = p.output + <usize>index * plane;
  const stride = <usize>p.anomalyTerm * plane;
  for (let i = first; i < end; i += 4) {
    const at = <usize>i << 2;
    let anomaly = anomalies + at;
    let input = p.input + at;
    let sum = f32x4.splat(0);
    for (let term = 0; term < p.terms; term++) {
      sum = multiplyAdd(loadFirst(anomaly, end - i, 0), loadFirst(input, end - i, 0), sum);
      anomaly += stride;
      input += plane;
    }
    storeFirst(output + at, sum, end - i);
  }
}
