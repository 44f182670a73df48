// weight /= share of the cells that are wet, if there are any. Workgroup: 256 invocations along the cells, guarded.
// Needs library/index.wgsl.

// The struct Parameters is made of its description in webgpu-wet-cells.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> share: array<f32>;
@group(0) @binding(2) var<storage, read_write> weight: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let cell = linearIndex(id, groups, 256u);
  if (cell < parameters.cells && share[0] > 0.0) {
    weight[cell] /= share[0];
  }
}
