// H ← H diag(scale), in place: every entry of H in compressed rows is multiplied by its column's number.
// Bindings: 0 parameters, 1 indptr [rows + 1], 2 indices, 3 data, 4 scale [columns].
// Workgroup: 64 entries; there may be fewer than there is room for.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> indptr: array<u32>;
@group(0) @binding(2) var<storage, read> indices: array<u32>;
@group(0) @binding(3) var<storage, read_write> data: array<f32>;
@group(0) @binding(4) var<storage, read> scale: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let entry = linearIndex(id, groups, 64u);
  if (entry >= indptr[parameters.rows]) {
    return;
  }
  data[entry] *= scale[indices[entry]];
}
