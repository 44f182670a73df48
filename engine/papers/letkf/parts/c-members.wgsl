// C = Y^T R^-1 w of every cell [letkf-gpu], decomposed by member: an invocation a cell and member, members fastest, so that
// neighbouring invocations write side by side.
// Bindings: as in c-naive.wgsl. Workgroup: 64 invocations, folded into x and y. Neighbours beyond the edge count as 0.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> anomalies: array<f32>;
@group(0) @binding(2) var<storage, read> weights: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups, 64u);
  if (index >= parameters.nx * parameters.ny * parameters.members) {
    return;
  }
  let cell = index / parameters.members;
  let member = index % parameters.members;
  for (var o = 0u; o < NEIGHBOURS; o++) {
    c[index * NEIGHBOURS + o] = weights[o] * neighbour(member, cell, o);
  }
}
