// y = H x for a batch of vectors, H in compressed rows.
// Workgroup: 64 rows of one vector; z is the vector.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let row = linearIndex(id, groups, 64u);
  if (row >= parameters.rows) {
    return;
  }
  let base = id.z * parameters.columns;
  var sum = 0.0;
  for (var entry = indptr[row]; entry < indptr[row + 1u]; entry++) {
    sum += data[entry] * input[base + indices[entry]];
  }
  output[id.z * parameters.rows + row] = sum;
}
