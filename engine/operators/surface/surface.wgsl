// Kernels of the surface.

// == surface-elevation ==
// η = h + B: component 0 of a state becomes the elevation of the water's surface, the other components are copied.
// Workgroup: 256 invocations, one an element, folded into x and y. Invocations past the end do nothing.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.cells * parameters.variables) {
    return;
  }
  if (i < parameters.cells) {
    planes[i] = state[i] + bed[i];
  } else {
    planes[i] = state[i];
  }
}

// == standard-deviation ==
// σ = √max(variance, 0), element by element.
// Workgroup: 256 invocations, one an element, folded into x and y. Invocations past the end do nothing.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  deviation[i] = sqrt(max(variance[i], 0.0));
}
