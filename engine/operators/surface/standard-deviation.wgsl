// σ = √max(variance, 0), element by element.
// Bindings: 0 parameters, 1 variance [at least length], 2 deviation [length].
// Workgroup: 256 invocations, one an element, folded into x and y. Invocations past the end do nothing.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> variance: array<f32>;
@group(0) @binding(2) var<storage, read_write> deviation: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  deviation[i] = sqrt(max(variance[i], 0.0));
}
