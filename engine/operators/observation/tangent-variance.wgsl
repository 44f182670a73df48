// σ_b² = Σ_c Σ_c′ s_c s_c′ Q_cc′ with s_c the sum of the four entries of H′ for component c (formula: tangent-variance.ts).
// Workgroup: 64 observations. Boundary: guarded; an empty row has variance 0.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 64u);
  if (j >= parameters.observations) {
    return;
  }
  var s = vec3f();
  let first = indptr[j];
  for (var entry = first; entry < indptr[j + 1u]; entry++) {
    s[(entry - first) >> 2u] += data[entry];
  }
  let q = 6u * j;
  let own = vec3f(covariance[q], covariance[q + 1u], covariance[q + 2u]);
  let between = vec3f(covariance[q + 3u], covariance[q + 4u], covariance[q + 5u]);
  variance[j] = dot(s * s, own) + 2.0 * dot(s.xxy * s.yzz, between);
}
