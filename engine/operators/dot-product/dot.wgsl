// First stage of xᵀ(y + shift·x): one partial sum a workgroup, in row 0 of the partial sums.
// Bindings: 0 parameters, 1 x [length], 2 y [length], 3 partials [rows][groups].
// Workgroup: 256; `groups` of them stride over the elements.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> x: array<f32>;
@group(0) @binding(2) var<storage, read> y: array<f32>;
@group(0) @binding(3) var<storage, read_write> partials: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  var sum = 0.0;
  for (var i = group.x * 256u + lane; i < parameters.length; i += parameters.groups * 256u) {
    sum += x[i] * (y[i] + parameters.shift * x[i]);
  }
  let total = workgroupSum(sum, lane);
  if (lane == 0u) {
    partials[group.x] = total;
  }
}
