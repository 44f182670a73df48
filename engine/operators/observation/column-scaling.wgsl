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
