// Inflation that adapts itself (index.ts has the formulas), in one part each: observations are few.

import { InflationEstimate, InflationAtPlaces } from './index';

// @ts-ignore: decorator
@inline
function numberAt(base: usize, j: i32): f64 {
  return <f64>f32.load(base + (<usize>j << 2));
}

/** One factor from the innovations of a cycle. */
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

function nearest(place: f32, count: i32, periodic: i32): i32 {
  const at = <i32>floor<f32>(place + 0.5);
  return periodic ? ((at % count) + count) % count : min(count - 1, max(0, at));
}

/** What the members see, inflated by the factor of the nearest grid point. */
export function inflationAtPlaces(p: InflationAtPlaces, part: i32, scratch: usize): void {
  const stride = <usize>p.observations << 2;
  for (let j: usize = 0; j < stride; j += 4) {
    const x = nearest(f32.load(p.positionX + j) * p.inverseX, p.nx, p.periodicX);
    const y = nearest(f32.load(p.positionY + j) * p.inverseY, p.ny, p.periodicY);
    const root = sqrt<f32>(f32.load(p.factor + (<usize>(y * p.nx + x) << 2)));
    const seen = p.ensemble + j;
    const first = f32.load(seen);
    let sum: f32 = 0;
    for (let l: usize = 1; l < <usize>p.members; l++) sum += f32.load(seen + l * stride) - first;
    const mean = first + sum / <f32>p.members;
    for (let l: usize = 0; l < <usize>p.members; l++) {
      const at = seen + l * stride;
      f32.store(at, mean + root * (f32.load(at) - mean));
    }
  }
}
