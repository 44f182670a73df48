// y += factor · x.
// Bindings: 0 parameters, 1 x, 2 y, both [length].
// Workgroup: 256 elements.

struct Parameters {
  length: u32,
  factor: f32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  y[i] += parameters.factor * x[i];
}
