// Kernels of the Lorenz-96 model.

// == lorenz-96 ==
// All steps of a run of the Lorenz-96 model [lorenz1996] by Runge–Kutta of fourth order, a member a workgroup.
//
//     dx_i/dt = (x_{i+1} − x_{i−2})·x_{i−1} − x_i + F on a circle
//
// The member stays in workgroup memory. It stops after the first step that leaves a value which is not finite, and says so
// in `faults`: step · n + lowest i, or NONE. Bindings: stepping.wgsl, parameters, state, faults. Workgroups: one a member,
// folded into x and y; an invocation takes every 64th variable.

@group(0) @binding(4) var<uniform> parameters: Parameters;
@group(0) @binding(5) var<storage, read_write> state: array<f32>;
@group(0) @binding(6) var<storage, read_write> faults: array<u32>;

override N: u32;
const LANES = 64u;

var<workgroup> seconds: f32;
var<workgroup> x: array<f32, N>;
/// Two stages in turn: even ones in the first half, odd ones in the second.
var<workgroup> stages: array<f32, 2u * N>;
var<workgroup> sum: array<f32, N>;
var<workgroup> lowestFault: atomic<u32>;
var<workgroup> fault: u32;

fn tendency(i: u32, half: u32) -> f32 {
  let after = stages[half + (i + 1u) % N];
  let before = stages[half + (i + N - 1u) % N];
  let second = stages[half + (i + N - 2u) % N];
  return (after - second) * before - stages[half + i] + parameters.forcing;
}

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let member = group.x + group.y * groups.x;
  if (member >= parameters.members) {
    return;
  }
  if (lane == 0u) {
    seconds = stepSeconds();
    fault = NONE;
    atomicStore(&lowestFault, NONE);
    faults[member] = NONE;
  }
  let dt = workgroupUniformLoad(&seconds);
  if (dt <= 0.0) {
    return;
  }
  for (var i = lane; i < N; i += LANES) {
    x[i] = state[member * N + i];
    stages[i] = x[i];
  }
  workgroupBarrier();
  for (var s = 0u; s < parameters.steps; s++) {
    for (var stage = 0u; stage < 4u; stage++) {
      let half = (stage % 2u) * N;
      let other = N - half;
      let middle = stage == 1u || stage == 2u;
      // Share of the step to the next stage, and weight of this one in the sum.
      let share = select(0.5, 1.0, stage == 2u);
      let weight = select(1.0, 2.0, middle);
      for (var i = lane; i < N; i += LANES) {
        let slope = tendency(i, half);
        let total = select(sum[i], 0.0, stage == 0u) + weight * slope;
        sum[i] = total;
        if (stage == 3u) {
          x[i] += dt / 6.0 * total;
          if (!isFinite(x[i])) {
            atomicMin(&lowestFault, s * N + i);
          }
        }
        stages[other + i] = x[i] + select(share * dt * slope, 0.0, stage == 3u);
      }
      workgroupBarrier();
    }
    if (lane == 0u) {
      fault = atomicLoad(&lowestFault);
    }
    if (workgroupUniformLoad(&fault) != NONE) {
      break;
    }
  }
  for (var i = lane; i < N; i += LANES) {
    state[member * N + i] = x[i];
  }
  if (lane == 0u) {
    faults[member] = fault;
  }
}

// == conclude ==
// After the steps of a run: counts them, and records the first of the members' faults. Bindings: stepping.wgsl, parameters,
// state, faults. One invocation.

@group(0) @binding(4) var<uniform> parameters: Parameters;
@group(0) @binding(5) var<storage, read_write> state: array<f32>;
@group(0) @binding(6) var<storage, read_write> faults: array<u32>;

override N: u32;

@compute @workgroup_size(1)
fn main() {
  if (atomicLoad(&status[BAD_STEP]) != NONE) {
    return;
  }
  var firstStep = NONE;
  var place = NONE;
  for (var member = 0u; member < parameters.members; member++) {
    let fault = faults[member];
    if (fault != NONE && fault / N < firstStep) {
      firstStep = fault / N;
      place = member * N + fault % N;
    }
  }
  let steps = atomicLoad(&status[STEPS]);
  if (place == NONE) {
    atomicStore(&status[STEPS], steps + parameters.steps);
    return;
  }
  atomicStore(&status[STEPS], steps + firstStep + 1u);
  atomicStore(&status[BAD_STEP], steps + firstStep);
  atomicStore(&status[BAD_PLACE], place);
  atomicStore(&status[KIND], NOT_FINITE);
  atomicStore(&status[VARIABLE], 0u);
  clock[VALUE] = state[place];
}
