// The mean of the fine cells in each coarse cell; an offset is added to component 0.
// Bindings: 0 parameters, 1 fine [variable][ny·factor][nx·factor], 2 offset [ny][nx], 3 coarse [variable][ny][nx].
// Workgroup: 256 invocations, one a coarse cell of a variable, folded into x and y. Invocations past the end do nothing.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> fine: array<f32>;
@group(0) @binding(2) var<storage, read> offset: array<f32>;
@group(0) @binding(3) var<storage, read_write> coarse: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let element = linearIndex(id, groups, 256u);
  if (element >= parameters.elements) {
    return;
  }
  let factor = parameters.factor;
  let along = parameters.nx * factor;
  // Rows of all variables follow each other, on either grid.
  let row = element / parameters.nx;
  let corner = row * factor * along + (element % parameters.nx) * factor;
  var sum = 0.0;
  for (var below = 0u; below < factor; below++) {
    for (var beside = 0u; beside < factor; beside++) {
      sum += fine[corner + below * along + beside];
    }
  }
  var mean = sum / f32(factor * factor);
  if (element < parameters.cells) {
    mean += offset[element];
  }
  coarse[element] = mean;
}
