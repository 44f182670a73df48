// After the steps of a run: counts them, and records the first of the members' faults. Bindings: stepping.wgsl, parameters,
// state, faults. One invocation.

// The struct Parameters is made of its description in webgpu.ts.
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
