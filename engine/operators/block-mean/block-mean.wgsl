// The mean of the fine cells in each coarse cell; an offset is added to component 0.
// Workgroup: 256 invocations, one a coarse cell of a variable, folded into x and y. Invocations past the end do nothing.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let element = linearIndex(id, groups, 256u);
  if (element >= parameters.variables * parameters.ny * parameters.nx) {
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
  if (element < parameters.ny * parameters.nx) {
    mean += offset[element];
  }
  coarse[element] = mean;
}
