// What the members see, inflated by the factor of the nearest grid point (index.ts has the formula), in one part: observations are few.

import { InflationAtPlaces } from './index';

function nearest(place: f32, count: i32, periodic: i32): i32 {
  const at = <i32>floor<f32>(place + 0.5);
  return periodic ? ((at % count) + count) % count : min(count - 1, max(0, at));
}

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
