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
