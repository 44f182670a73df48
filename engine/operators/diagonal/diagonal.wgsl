// y = s ∘ x: element i of the batch is multiplied by scale[i mod length].
// Bindings: 0 parameters, 1 scale [length], 2 input [batch · length], 3 output [batch · length].
// Workgroup: 256 invocations, one an element, folded into x and y. Invocations past the end do nothing.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> scale: array<f32>;
@group(0) @binding(2) var<storage, read> source: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.elements) {
    return;
  }
  result[i] = scale[i % parameters.length] * source[i];
}
