// Products of innovations and residuals (departure-products.ts): a part is a group of observations.

import { DepartureProducts } from './wasm';

// @ts-ignore: decorator
@inline
function real(base: usize, i: i32): f64 {
  return <f64>f32.load(base + (<usize>i << 2));
}

export function departureProducts(p: DepartureProducts, part: i32, scratch: usize): void {
  let count = 0;
  let innovations: f64 = 0;
  let residuals: f64 = 0;
  let increments: f64 = 0;
  let signal: f64 = 0;
  let background: f64 = 0;
  let analysis: f64 = 0;
  for (let j = 0; j < p.observations; j++) {
    const r = real(p.inverseErrorStd, j);
    if (!(r > 0) || i32.load(p.group + (<usize>j << 2)) != part) continue;
    const db = r * real(p.innovation, j);
    const da = r * real(p.residual, j);
    count++;
    innovations += db * db;
    residuals += da * db;
    increments += (db - da) * db;
    signal += (db - da) * da;
    background += r * r * real(p.backgroundVariance, j);
    analysis += r * r * real(p.analysisVariance, j);
  }
  const share = 1 / <f64>max(1, count);
  const target = p.products + <usize>(part * 7 * 4);
  f32.store(target, <f32>count);
  f32.store(target, <f32>(share * innovations), 4);
  f32.store(target, <f32>(share * residuals), 8);
  f32.store(target, <f32>(share * increments), 12);
  f32.store(target, <f32>(share * signal), 16);
  f32.store(target, <f32>(share * background), 20);
  f32.store(target, <f32>(share * analysis), 24);
}
