// y = H(x) + σ ε, or the value that is given.
// Workgroup: 64 observations.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 64u);
  if (j >= parameters.observations) {
    return;
  }
  values[j] = select(term[j], observed[j] + term[j] * normal[j], isGiven[j] == 0u);
}
