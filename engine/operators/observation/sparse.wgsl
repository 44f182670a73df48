// Kernels of sparse matrices in compressed rows.

// == sparse-product ==
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

// == sparse-adjoint ==
// x = Hᵀ y for a batch of vectors: each column is summed by one owner, through the entries by column.
// Workgroup: 64 columns of one vector; z is the vector. Empty columns become 0.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let column = linearIndex(id, groups, 64u);
  if (column >= parameters.columns) {
    return;
  }
  let base = id.z * parameters.rows;
  var sum = 0.0;
  for (var entry = columnStart[column]; entry < columnStart[column + 1u]; entry++) {
    sum += data[entryPosition[entry]] * input[base + entryRow[entry]];
  }
  output[id.z * parameters.columns + column] = sum;
}

// == column-scaling ==
// H ← H diag(scale), in place: every entry of H in compressed rows is multiplied by its column's number.
// Workgroup: 64 entries; there may be fewer than there is room for.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let entry = linearIndex(id, groups, 64u);
  if (entry >= indptr[parameters.rows]) {
    return;
  }
  data[entry] *= scale[indices[entry]];
}
