// P_HT before the tiles in reach are written: 0. Most of it stays so where observations reach a small part of the grid.
// Workgroup: 256 invocations, side by side, for 4096 elements. Boundary: elements beyond the output are not there.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

const LANES = 256u;
const ELEMENTS = 4096u;

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first = (group.x + group.y * groups.x) * ELEMENTS + lane;
  for (var i = first; i < min(first - lane + ELEMENTS, parameters.length); i += LANES) {
    output[i] = 0.0;
  }
}
