// b_l = R^−½ (y − H(x_l)) + ε_l, exactly 0 for an absent observation. Needs library/index.wgsl.
// Workgroup: 256 invocations along the observations; workgroups along z are the members. Boundary: guarded.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> values: array<f32>;
@group(0) @binding(2) var<storage, read> observed: array<f32>;
@group(0) @binding(3) var<storage, read> inverseErrorStd: array<f32>;
@group(0) @binding(4) var<storage, read> perturbations: array<f32>;
@group(0) @binding(5) var<storage, read_write> scaled: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 256u);
  if (j >= parameters.observations) {
    return;
  }
  let at = id.z * parameters.observations + j;
  let r = inverseErrorStd[j];
  var value = 0.0;
  if (r != 0.0) {
    value = r * (values[j] - observed[at]) + perturbations[at];
  }
  scaled[at] = value;
}
