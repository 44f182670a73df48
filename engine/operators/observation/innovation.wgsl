// d = y - H(x), and R^-1/2 d; both exactly 0 where the inverse deviation is 0.
// Workgroup: 64 observations.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 64u);
  if (j >= parameters.observations) {
    return;
  }
  let r = inverseErrorStd[j];
  let d = select(values[j] - observed[j], 0.0, r == 0.0);
  innovation[j] = d;
  scaled[j] = r * d;
}
