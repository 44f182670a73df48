// Depth raised to the floor; no momentum in a cell at or below the dry depth. A cell that is so already is not written.
// Bindings: parameters, bed, state. One invocation a cell and member, 256 in a workgroup, folded into x and y.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bed: array<f32>;
@group(0) @binding(2) var<storage, read_write> state: array<f32>;

override HAS_BED: bool;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let place = linearIndex(id, groups, 256u);
  let cells = parameters.cells;
  if (place >= parameters.members * cells) {
    return;
  }
  let cell = place % cells;
  let i = (place / cells) * 3u * cells + cell;
  let ground = select(0.0, bed[select(0u, cell, HAS_BED)], HAS_BED);
  let lowest = ground + parameters.floor;
  var surface = state[i];
  if (surface < lowest) {
    surface = lowest;
    state[i] = lowest;
  }
  if (surface - ground <= parameters.dryDepth) {
    state[i + cells] = 0.0;
    state[i + 2u * cells] = 0.0;
  }
}
