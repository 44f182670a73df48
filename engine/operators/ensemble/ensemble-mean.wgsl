// mean_i = x₁_i + Σ_l (x_l − x₁)_i / k. Needs library/index.wgsl and moments.wgsl.
// Workgroup: 256 invocations along i, each the owner of its element. Boundary: guarded.

// The struct Parameters is made of its description in webgpu-elementwise.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read_write> mean: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  mean[i] = meanAt(i);
}
