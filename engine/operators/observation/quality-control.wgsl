// effective = r where n = 0 or r |d| <= n √(1 + r² σ_b²), 0 elsewhere, r = 1/σ_o.
// No r is above sharpest/max(σ_b, |d|), where single precision would end.
// Bindings: 0 parameters, 1 innovation, 2 inverseErrorStd, 3 variance, 4 threshold n, 5 effective, all [observations].
// Workgroup: 64 observations.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> innovation: array<f32>;
@group(0) @binding(2) var<storage, read> inverseErrorStd: array<f32>;
@group(0) @binding(3) var<storage, read> variance: array<f32>;
@group(0) @binding(4) var<storage, read> threshold: array<f32>;
@group(0) @binding(5) var<storage, read_write> effective: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 64u);
  if (j >= parameters.observations) {
    return;
  }
  let r = inverseErrorStd[j];
  let n = threshold[j];
  let believed = n == 0.0 || r * abs(innovation[j]) <= n * sqrt(1.0 + r * r * variance[j]);
  let scale = max(sqrt(variance[j]), abs(innovation[j]));
  var taken = r;
  if (r * scale > parameters.sharpest) {
    taken = parameters.sharpest / scale;
  }
  effective[j] = select(0.0, taken, believed);
}
