// Kernels of the stochastic EnKF.

// == observed-covariance ==
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

// == perturbed-innovation ==
// b_l = R^−½ (y − H(x_l)) + ε_l, exactly 0 for an absent observation.
// Workgroup: 256 invocations along the observations; workgroups along z are the members. Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 256u);
  if (j >= parameters.observations) {
    return;
  }
  let at = id.z * parameters.observations + j;
  let r = inverseErrorStd[j];
  var value = 0.0;
  if (r != 0.0) {
    value = r * (values[j] - observed[at]) + perturbations[at];
  }
  scaled[at] = value;
}

// == gain-increment ==
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

// == error-correlation ==
// A ← A + (C − I) among the observations that are used (index.ts): an entry of C below the diagonal goes to its element of A and to
// the mirror image, which nobody else writes.
// Workgroup: 256 invocations, 32 a row of C, folded into x and y. Invocations of rows past the last one do nothing.

const LANES = 32u;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  let a = i / LANES;
  let p = parameters.observations;
  if (a >= p) {
    return;
  }
  if (inverseErrorStd[a] == 0.0) {
    return;
  }
  for (var k = indptr[a] + i % LANES; k < indptr[a + 1u]; k += LANES) {
    let b = indices[k];
    if (b == a || inverseErrorStd[b] == 0.0) {
      continue;
    }
    matrix[a * p + b] += correlation[k];
    matrix[b * p + a] += correlation[k];
  }
}
