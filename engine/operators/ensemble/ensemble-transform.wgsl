// transformed_j[i] = Σ_l ensemble_l[i] · transform[l][j], a tile of 64 members j and 64 elements i a workgroup.
// Needs library/tile-product.wgsl. Workgroup: 256 invocations; tiles of elements are folded into x and y, those of members
// are along z. Boundary: rows, terms and columns that are not there are 0 and not stored.

fn leftAt(row: u32, term: u32) -> f32 {
  if (term >= parameters.members || row >= parameters.members) {
    return 0.0;
  }
  return transform[term * parameters.members + row];
}

fn rightAt(term: u32, column: u32) -> f32 {
  if (term >= parameters.members || column >= parameters.length) {
    return 0.0;
  }
  return ensemble[term * parameters.length + column];
}

fn storeAt(row: u32, column: u32, value: f32) {
  if (row < parameters.members && column < parameters.length) {
    transformed[row * parameters.length + column] = value;
  }
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let firstColumn = (group.x + group.y * groups.x) * TILE;
  let firstRow = group.z * TILE;
  let sum = tileProduct(parameters.members, firstRow, firstColumn, lane, alongQuads(lane), alongQuads(lane));
  storeTile(sum, firstRow, firstColumn, lane);
}
