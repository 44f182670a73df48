// d = y - H(x), and R^-1/2 d; both exactly 0 where the inverse deviation is 0.
// Bindings: 0 parameters, 1 values, 2 observed, 3 inverseErrorStd, 4 innovation, 5 scaled, all [observations].
// Workgroup: 64 observations.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> values: array<f32>;
@group(0) @binding(2) var<storage, read> observed: array<f32>;
@group(0) @binding(3) var<storage, read> inverseErrorStd: array<f32>;
@group(0) @binding(4) var<storage, read_write> innovation: array<f32>;
@group(0) @binding(5) var<storage, read_write> scaled: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 64u);
  if (j >= parameters.observations) {
    return;
  }
  let r = inverseErrorStd[j];
  let d = select(values[j] - observed[j], 0.0, r == 0.0);
  innovation[j] = d;
  scaled[j] = r * d;
}
