// x_l[i] += Σ_j P_HT[j][i] · r_j^−½ z_l[j] over a block of observations j; a tile of 64 members and 64 elements a workgroup.
// Needs library/tile-product.wgsl. Workgroup: 256 invocations; tiles of elements are folded into x and y, those of members
// are along z. Each element of the ensemble has one owner. Boundary: members, observations and elements that are not there
// are 0 and not stored; an absent observation (r^−½ = 0) has weight 0 whatever z is.

fn leftAt(member: u32, term: u32) -> f32 {
  if (member >= parameters.members || term >= parameters.blockObservations) {
    return 0.0;
  }
  let j = parameters.firstObservation + term;
  let r = inverseErrorStd[j];
  return select(r * weights[member * parameters.observations + j], 0.0, r == 0.0);
}

fn rightAt(term: u32, column: u32) -> f32 {
  if (term >= parameters.blockObservations || column >= parameters.length) {
    return 0.0;
  }
  return covariance[term * parameters.length + column];
}

fn storeAt(row: u32, column: u32, value: f32) {
  if (row < parameters.members && column < parameters.length) {
    ensemble[row * parameters.length + column] += value;
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
  // Weights lie along the observations and the covariance along the state: each is read in its own direction.
  let terms = parameters.blockObservations;
  let sum = tileProduct(terms, firstRow, firstColumn, lane, alongTerms(lane), alongQuads(lane));
  storeTile(sum, firstRow, firstColumn, lane);
}
