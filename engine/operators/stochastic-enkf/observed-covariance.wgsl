// A[b][a] = δ_ab + r_a^−½ r_b^−½ Σ_k h_k P_HT[b][column_k], k over the entries of row a of H, for the rows b of a block of
// observations. Workgroup: 256 invocations along a; workgroups along z are the rows.
// Boundary: guarded; the row and the column of an absent observation (r^−½ = 0) are those of the identity.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let a = linearIndex(id, groups, 256u);
  if (a >= parameters.observations) {
    return;
  }
  let b = parameters.firstObservation + id.z;
  let scale = inverseErrorStd[a] * inverseErrorStd[b];
  var value = select(0.0, 1.0, a == b);
  if (scale != 0.0) {
    var seen = 0.0;
    for (var k = indptr[a]; k < indptr[a + 1u]; k++) {
      seen += data[k] * covariance[id.z * parameters.length + indices[k]];
    }
    value += scale * seen;
  }
  matrix[b * parameters.observations + a] = value;
}
