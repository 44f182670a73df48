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
