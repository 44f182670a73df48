// effective = r where n = 0 or r |d| <= n √(1 + r² σ_b²), 0 elsewhere, r = 1/σ_o.
// No r is above sharpest/max(σ_b, |d|), where single precision would end.
// Workgroup: 64 observations.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 64u);
  if (j >= parameters.observations) {
    return;
  }
  let r = inverseErrorStd[j];
  let n = threshold[j];
  let believed = n == 0.0 || r * abs(innovation[j]) <= n * sqrt(1.0 + r * r * variance[j]);
  let scale = max(sqrt(variance[j]), abs(innovation[j]));
  var taken = r;
  if (r * scale > parameters.sharpest) {
    taken = parameters.sharpest / scale;
  }
  effective[j] = select(0.0, taken, believed);
}
