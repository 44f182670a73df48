// x_l = mean + factor · anomaly_l. Needs library/index.wgsl.
// Workgroup: 256 invocations along i; workgroups along z are the members. Boundary: guarded.

// The struct Parameters is made of its description in webgpu-elementwise.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> mean: array<f32>;
@group(0) @binding(2) var<storage, read> anomalies: array<f32>;
@group(0) @binding(3) var<storage, read_write> ensemble: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  let at = id.z * parameters.length + i;
  ensemble[at] = mean[i] + parameters.factor * anomalies[at];
}
