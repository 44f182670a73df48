// One inflation factor from the innovations of a cycle (index.ts has the formula), in one part: observations are few.

import { InflationEstimate } from './index';

// @ts-ignore: decorator
@inline
function numberAt(base: usize, j: i32): f64 {
  return <f64>f32.load(base + (<usize>j << 2));
}

export function inflationEstimate(p: InflationEstimate, part: i32, scratch: usize): void {
  let count: f64 = 0;
  let stated: f64 = 0;
  let found: f64 = 0;
  for (let j = 0; j < p.observations; j++) {
    const r = numberAt(p.inverseErrorStd, j);
    if (!(r > 0)) continue;
    const d = numberAt(p.innovation, j);
    count += 1;
    stated += r * r * numberAt(p.variance, j);
    found += p.ratio ? r * r * d * (d - numberAt(p.residual, j)) : r * r * d * d - 1;
  }
  if (!(stated > 0)) return;
  const prior = numberAt(p.factor, 0);
  const scale = p.ratio ? prior : (prior * (stated + count)) / stated;
  const priorVariance = <f64>p.priorVariance;
  const gain = priorVariance / (priorVariance + (2 / count) * scale * scale);
  const next = prior + gain * ((prior * found) / stated - prior);
  f32.store(p.factor, <f32>min<f64>(<f64>p.most, max<f64>(<f64>p.least, next)));
}
