// anomalies_l = factor · (x_l − x̄), and the mean. Needs moments.wgsl.
// Workgroup: 256 invocations along i, each the owner of its element in all members. Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  let centre = meanAt(i);
  mean[i] = centre;
  for (var l = 0u; l < parameters.members; l++) {
    let at = l * parameters.length + i;
    anomalies[at] = parameters.factor * (ensemble[at] - centre);
  }
}
