// After the steps of a run: brings count, rate and what remains back to slot 0, and says what is wrong with the cell that was recorded.
// Slot: that of the step after the last. Bindings: stepping.wgsl, basin, bed, state. One invocation.

@group(0) @binding(4) var<uniform> basin: Basin;
@group(0) @binding(5) var<storage, read> bed: array<f32>;
@group(0) @binding(6) var<storage, read> state: array<f32>;

override HAS_BED: bool;

@compute @workgroup_size(1)
fn main() {
  atomicStore(&status[STEPS], atomicLoad(&status[STEPS + slot.index]));
  atomicStore(&status[REMAINING], atomicLoad(&status[REMAINING + slot.index]));
  let rate = atomicLoad(&status[RATE + slot.index]);
  for (var s = 1u; s < SLOTS; s++) {
    atomicStore(&status[RATE + s], 0u);
  }
  atomicStore(&status[RATE], rate);
  let place = atomicLoad(&status[BAD_PLACE]);
  if (place == NONE || atomicLoad(&status[KIND]) != NONE) {
    return;
  }
  let cells = basin.nx * basin.ny;
  let cell = place % cells;
  let i = (place / cells) * 3u * cells + cell;
  let ground = select(0.0, bed[select(0u, cell, HAS_BED)], HAS_BED);
  let fault = faultOf(basin, vec3f(state[i], state[i + cells], state[i + 2u * cells]), ground, HAS_BED);
  atomicStore(&status[KIND], fault.kind);
  atomicStore(&status[VARIABLE], fault.variable);
  clock[VALUE] = fault.value;
}
