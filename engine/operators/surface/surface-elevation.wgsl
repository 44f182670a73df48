// η = h + B: component 0 of a state becomes the elevation of the water's surface, the other components are copied.
// Bindings: 0 parameters, 1 state [variable][cell], 2 bed [cell], 3 planes [variable][cell].
// Workgroup: 256 invocations, one an element, folded into x and y. Invocations past the end do nothing.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> state: array<f32>;
@group(0) @binding(2) var<storage, read> bed: array<f32>;
@group(0) @binding(3) var<storage, read_write> planes: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.elements) {
    return;
  }
  if (i < parameters.cells) {
    planes[i] = state[i] + bed[i];
  } else {
    planes[i] = state[i];
  }
}
