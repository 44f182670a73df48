// The step of the Lorenz-96 model, linearised (linear.ts has the equations), four variables at a time.

import { multiplyAdd } from '../../compute/wasm/simd-library.as';
import { FIRST, arrayBytes, closeCircle } from './circle-library.as';
import { LinearLorenz96 } from './linear';

/** `to` = a `x` + b `y`, as an array of the circle. */
function combine(to: usize, a: f32, x: usize, b: f32, y: usize, n: i32): void {
  const end = FIRST + (<usize>n << 2);
  const first = f32x4.splat(a);
  const second = f32x4.splat(b);
  for (let at = FIRST; at < end; at += 16) {
    v128.store(to + at, multiplyAdd(second, v128.load(y + at), f32x4.mul(first, v128.load(x + at))));
  }
  closeCircle(to, n);
}

/** `sum` += `weight` d, four at a time. */
// @ts-ignore: decorator
@inline
function add(sum: usize, weight: v128, d: v128): void {
  v128.store(sum, multiplyAdd(weight, d, v128.load(sum)));
}

/** `slope` = f(x) */
function tendency(x: usize, forcing: f32, slope: usize, n: i32): void {
  const end = FIRST + (<usize>n << 2);
  const force = f32x4.splat(forcing);
  for (let at = FIRST; at < end; at += 16) {
    const here = x + at;
    const difference = f32x4.sub(v128.load(here, 4), v128.load(here - 8));
    const decay = f32x4.sub(force, v128.load(here));
    v128.store(slope + at, multiplyAdd(difference, v128.load(here - 4), decay));
  }
}

/** `slope` = f′(x) d; `sum` += `weight` `slope` */
function tangent(x: usize, d: usize, slope: usize, sum: usize, weight: f32, n: i32): void {
  const end = FIRST + (<usize>n << 2);
  const share = f32x4.splat(weight);
  for (let at = FIRST; at < end; at += 16) {
    const here = x + at;
    const change = d + at;
    const ofChange = f32x4.mul(f32x4.sub(v128.load(change, 4), v128.load(change - 8)), v128.load(here - 4));
    const ofState = f32x4.mul(f32x4.sub(v128.load(here, 4), v128.load(here - 8)), v128.load(change - 4));
    const found = f32x4.sub(f32x4.add(ofChange, ofState), v128.load(change));
    v128.store(slope + at, found);
    add(sum + at, share, found);
  }
}

/** `slope` = f′(x)ᵀ d; `sum` += `slope` */
function adjoint(x: usize, d: usize, slope: usize, sum: usize, n: i32): void {
  const end = FIRST + (<usize>n << 2);
  const one = f32x4.splat(1);
  for (let at = FIRST; at < end; at += 16) {
    const here = x + at;
    const change = d + at;
    const outer = f32x4.sub(
      f32x4.mul(v128.load(change - 4), v128.load(here - 8)),
      f32x4.mul(v128.load(change, 8), v128.load(here, 4)),
    );
    const inner = f32x4.mul(v128.load(change, 4), f32x4.sub(v128.load(here, 8), v128.load(here - 4)));
    const found = f32x4.sub(f32x4.add(outer, inner), v128.load(change));
    v128.store(slope + at, found);
    add(sum + at, one, found);
  }
}

/** Share of the step that leads to a stage from the one before. */
// @ts-ignore: decorator
@inline
function shareOf(stage: i32): f32 {
  return stage == 0 ? 0 : stage == 3 ? 1 : 0.5;
}

/** Weight of a stage's slope in sixths of the step. */
// @ts-ignore: decorator
@inline
function weightOf(stage: i32): f32 {
  return stage == 0 || stage == 3 ? 1 : 2;
}

export function linearLorenz96(p: LinearLorenz96, part: i32, scratch: usize): void {
  const n = p.n;
  const bytes = arrayBytes(n);
  const dt = p.seconds;
  const change = scratch + 4 * bytes;
  const slope = change + bytes;
  const derivative = slope + bytes;
  const sum = derivative + bytes;
  memory.fill(scratch, 0, 8 * bytes);
  // A field does not repeat variables as an array of the circle does. The state is copied to `sum`, which is free until the input is.
  memory.copy(sum + FIRST, p.before, <usize>n << 2);
  for (let stage = 0; stage < 4; stage++) {
    const x = scratch + <usize>stage * bytes;
    combine(x, 1, sum, shareOf(stage) * dt, slope, n);
    tendency(x, p.forcing, slope, n);
  }
  const given = slope;
  memory.copy(given + FIRST, p.input, <usize>n << 2);
  memory.copy(sum + FIRST, p.input, <usize>n << 2);
  const sixth = dt / 6;
  if (!p.isAdjoint) {
    for (let stage = 0; stage < 4; stage++) {
      combine(change, 1, given, shareOf(stage) * dt, derivative, n);
      tangent(scratch + <usize>stage * bytes, change, derivative, sum, sixth * weightOf(stage), n);
    }
  } else {
    let following: f32 = 0;
    for (let stage = 3; stage >= 0; stage--) {
      combine(change, sixth * weightOf(stage), given, following * dt, derivative, n);
      adjoint(scratch + <usize>stage * bytes, change, derivative, sum, n);
      following = shareOf(stage);
    }
  }
  memory.copy(p.output, sum + FIRST, <usize>n << 2);
}
