// x_l ← x̄ + √ρ (x_l − x̄) in place, ρ = factor[0]. Needs library/index.wgsl and moments.wgsl.
// Workgroup: 256 invocations along i, each the owner of its element in all members. Boundary: guarded.

// The struct Parameters is made of its description in webgpu-elementwise.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> factor: array<f32>;
@group(0) @binding(2) var<storage, read_write> ensemble: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  let root = sqrt(factor[0]);
  let mean = meanAt(i);
  for (var l = 0u; l < parameters.members; l++) {
    let at = l * parameters.length + i;
    ensemble[at] = mean + root * (ensemble[at] - mean);
  }
}
