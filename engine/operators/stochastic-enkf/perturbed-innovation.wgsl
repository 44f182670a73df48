// b_l = R^−½ (y − H(x_l)) + ε_l, exactly 0 for an absent observation.
// Workgroup: 256 invocations along the observations; workgroups along z are the members. Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 256u);
  if (j >= parameters.observations) {
    return;
  }
  let at = id.z * parameters.observations + j;
  let r = inverseErrorStd[j];
  var value = 0.0;
  if (r != 0.0) {
    value = r * (values[j] - observed[at]) + perturbations[at];
  }
  scaled[at] = value;
}
