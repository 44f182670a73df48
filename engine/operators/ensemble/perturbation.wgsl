// x_l ← x_l + factor · noise_l in place.
// Workgroup: 256 invocations along i; workgroups along z are the members. Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  let at = id.z * parameters.length + i;
  ensemble[at] += parameters.factor * noise[at];
}
