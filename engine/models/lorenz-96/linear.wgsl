// The step of the Lorenz-96 model, linearised: see linear.ts for the equations.
//
//     δk = f′(x) δx,  f′(x) δx_i = (δx_{i+1} − δx_{i−2}) x_{i−1} + (x_{i+1} − x_{i−2}) δx_{i−1} − δx_i
//
// One workgroup follows the four stages of the Runge–Kutta method and keeps them in `work`; with them goes the tangent, or after them,
// in reverse order, the adjoint. Sections of `work`, N reals each: the four stages, what the derivative is applied to, and three
// that an invocation has to itself (slope of the stage, derivative, sum).
//
// Bindings: parameters, before, input, output, work. One workgroup; an invocation takes every 64th variable.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> before: array<f32>;
@group(0) @binding(2) var<storage, read> input: array<f32>;
@group(0) @binding(3) var<storage, read_write> output: array<f32>;
@group(0) @binding(4) var<storage, read_write> work: array<f32>;

override IS_ADJOINT: bool;

const LANES = 64u;
/// Share of the step that leads to each stage from the one before, and weight of its slope in sixths of the step.
const SHARES = array(0.0, 0.5, 0.5, 1.0);
const WEIGHTS = array(1.0, 2.0, 2.0, 1.0);
/// Sections of `work`, after the four stages.
const CHANGE = 4u;
const SLOPE = 5u;
const DERIVATIVE = 6u;
const SUM = 7u;

/// Where the variable `i` of a section is; up to two beyond either end of the circle.
fn at(section: u32, i: u32, offset: i32) -> u32 {
  let n = parameters.n;
  return section * n + u32(i32(i + n) + offset) % n;
}

/// f(x)_i
fn tendency(stage: u32, i: u32) -> f32 {
  return (work[at(stage, i, 1)] - work[at(stage, i, -2)]) * work[at(stage, i, -1)] - work[at(stage, i, 0)] + parameters.forcing;
}

/// (f′(x) d)_i
fn tangentOf(stage: u32, i: u32) -> f32 {
  return (work[at(CHANGE, i, 1)] - work[at(CHANGE, i, -2)]) * work[at(stage, i, -1)] +
    (work[at(stage, i, 1)] - work[at(stage, i, -2)]) * work[at(CHANGE, i, -1)] - work[at(CHANGE, i, 0)];
}

/// (f′(x)ᵀ d)_i
fn adjointOf(stage: u32, i: u32) -> f32 {
  return work[at(CHANGE, i, -1)] * work[at(stage, i, -2)] - work[at(CHANGE, i, 2)] * work[at(stage, i, 1)] +
    work[at(CHANGE, i, 1)] * (work[at(stage, i, 2)] - work[at(stage, i, -1)]) - work[at(CHANGE, i, 0)];
}

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lane: u32) {
  let n = parameters.n;
  let dt = parameters.seconds;
  for (var i = lane; i < n; i += LANES) {
    work[SLOPE * n + i] = 0.0;
    work[DERIVATIVE * n + i] = 0.0;
    work[SUM * n + i] = 0.0;
  }
  for (var stage = 0u; stage < 4u; stage++) {
    let share = SHARES[stage] * dt;
    for (var i = lane; i < n; i += LANES) {
      work[stage * n + i] = before[i] + share * work[SLOPE * n + i];
      work[CHANGE * n + i] = input[i] + share * work[DERIVATIVE * n + i];
    }
    storageBarrier();
    for (var i = lane; i < n; i += LANES) {
      work[SLOPE * n + i] = tendency(stage, i);
      if (!IS_ADJOINT) {
        let derivative = tangentOf(stage, i);
        work[DERIVATIVE * n + i] = derivative;
        work[SUM * n + i] += WEIGHTS[stage] * dt / 6.0 * derivative;
      }
    }
    storageBarrier();
  }
  if (IS_ADJOINT) {
    var following = 0.0;
    for (var stage = 3i; stage >= 0; stage--) {
      for (var i = lane; i < n; i += LANES) {
        work[CHANGE * n + i] = dt / 6.0 * WEIGHTS[stage] * input[i] + following * work[DERIVATIVE * n + i];
      }
      following = SHARES[stage] * dt;
      storageBarrier();
      for (var i = lane; i < n; i += LANES) {
        let derivative = adjointOf(u32(stage), i);
        work[DERIVATIVE * n + i] = derivative;
        work[SUM * n + i] += derivative;
      }
      storageBarrier();
    }
  }
  for (var i = lane; i < n; i += LANES) {
    output[i] = input[i] + work[SUM * n + i];
  }
}
