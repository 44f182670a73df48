// The Lorenz-96 model (index.ts), four variables at a time: a member with all steps of a run is a part.

import { loadFirst, multiplyAdd } from '../../compute/wasm/simd-library.as';
import { FIRST, arrayBytes, closeCircle } from './circle-library.as';
import { Lorenz96 } from './index';

const NOT_FINITE: i32 = 0;

/** dx/dt of four variables. */
// @ts-ignore: decorator
@inline
function tendency(x: usize, forcing: v128): v128 {
  const difference = f32x4.sub(v128.load(x, 4), v128.load(x - 8));
  return f32x4.add(f32x4.sub(f32x4.mul(difference, v128.load(x - 4)), v128.load(x)), forcing);
}

/** One of the later stages: the slope at x + share·dt·slope replaces the slope, and adds to the sum by its weight. */
// @ts-ignore: decorator
@inline
function laterStage(p: Lorenz96, x: usize, stage: usize, slope: usize, sum: usize, share: f32, weight: f32): void {
  const end = FIRST + (<usize>p.n << 2);
  const factor = f32x4.splat(share * p.seconds);
  const forcing = f32x4.splat(p.forcing);
  for (let at = FIRST; at < end; at += 16) {
    v128.store(stage + at, multiplyAdd(factor, v128.load(slope + at), v128.load(x + at)));
  }
  closeCircle(stage, p.n);
  for (let at = FIRST; at < end; at += 16) {
    const next = tendency(stage + at, forcing);
    v128.store(slope + at, next);
    v128.store(sum + at, multiplyAdd(f32x4.splat(weight), next, v128.load(sum + at)));
  }
}

/** A step of x by the Runge–Kutta method of fourth order. */
function step(p: Lorenz96, x: usize, stage: usize, slope: usize, sum: usize): void {
  const end = FIRST + (<usize>p.n << 2);
  const forcing = f32x4.splat(p.forcing);
  closeCircle(x, p.n);
  for (let at = FIRST; at < end; at += 16) {
    const first = tendency(x + at, forcing);
    v128.store(slope + at, first);
    v128.store(sum + at, first);
  }
  laterStage(p, x, stage, slope, sum, 0.5, 2);
  laterStage(p, x, stage, slope, sum, 0.5, 2);
  laterStage(p, x, stage, slope, sum, 1, 1);
  const sixth = f32x4.splat(p.seconds / 6);
  for (let at = FIRST; at < end; at += 16) {
    v128.store(x + at, multiplyAdd(sixth, v128.load(sum + at), v128.load(x + at)));
  }
}

/** The first variable that is no finite number; −1 where all are. */
function firstNotFinite(x: usize, n: i32): i32 {
  const zero = f32x4.splat(0);
  for (let i = 0; i < n; i += 4) {
    const four = loadFirst(x + (<usize>i << 2), n - i, 0);
    if (i32x4.all_true(f32x4.eq(f32x4.sub(four, four), zero))) continue;
    for (let k = i; k < n; k++) {
      const value = f32.load(x + (<usize>k << 2));
      if (value - value != 0) return k;
    }
  }
  return -1;
}

export function lorenz96(p: Lorenz96, part: i32, scratch: usize): void {
  const n = p.n;
  const bytes = arrayBytes(n);
  const x = scratch;
  const stage = x + bytes;
  const slope = stage + bytes;
  const sum = slope + bytes;
  const home = p.state + (<usize>(part * n) << 2);
  const report = p.reports + (<usize>part << 5);
  i32.store(report, -1);
  memory.fill(x, 0, 4 * bytes);
  memory.copy(x + FIRST, home, <usize>n << 2);
  for (let taken = 0; taken < p.steps; taken++) {
    step(p, x, stage, slope, sum);
    const wrong = firstNotFinite(x + FIRST, n);
    if (wrong < 0) continue;
    i32.store(report, taken);
    i32.store(report, wrong, 4);
    i32.store(report, NOT_FINITE, 8);
    i32.store(report, 0, 12);
    f32.store(report, f32.load(x + FIRST + (<usize>wrong << 2)), 16);
    break;
  }
  memory.copy(home, x + FIRST, <usize>n << 2);
}
