// Kernels of the covariance and the gain through the members.

// == covariance ==
// matrix[a][b] = δ_ab + ρ r_a r_b C(a, b) Σ_l y_l[a] y_l[b] / (k − 1) for b ≤ a; nothing else is stored.
// Needs the taper of the localisation.
// Workgroup: 64 invocations along b; workgroups along z are the rows a. Boundary: guarded; the row and the column of an absent
// observation (r = 0) are those of the identity, or kept: then what it has with a later one is read from the upper triangle,
// which nobody writes.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let p = parameters.observations;
  let a = id.z;
  let b = linearIndex(id, groups, 64u);
  if (b > a) {
    return;
  }
  if (parameters.keepsOthers != 0u && (inverseErrorStd[a] == 0.0 || inverseErrorStd[b] == 0.0)) {
    if (inverseErrorStd[b] != 0.0) {
      matrix[a * p + b] = matrix[b * p + a];
    }
    return;
  }
  let scale = parameters.inflation * inverseErrorStd[a] * inverseErrorStd[b] / f32(parameters.members - 1u);
  var c = 0.0;
  if (scale != 0.0) {
    c = scale * taperOf(vec2f(positionX[a] - positionX[b], positionY[a] - positionY[b]));
  }
  var product = 0.0;
  if (c != 0.0) {
    for (var l = 0u; l < parameters.members; l++) {
      product += observedAnomalies[l * p + a] * observedAnomalies[l * p + b];
    }
  }
  matrix[a * p + b] = select(0.0, 1.0, a == b) + c * product;
}

// == gain ==
// output[row][i] = r_j C(cell of i, j) Σ_l e_l[i] y_l[j] / (k − 1) for the observations j of a block.
// Needs the taper of the localisation.
// Workgroup: 256 invocations along the cells, each all variables of its cell; workgroups along z are the block's observations.
// Boundary: guarded; 0 out of reach, and for an absent observation (r = 0) unless its column is kept.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let cell = linearIndex(id, groups, 256u);
  let cells = parameters.nx * parameters.ny;
  if (cell >= cells) {
    return;
  }
  let j = parameters.firstObservation + id.z;
  if (parameters.keepsOthers != 0u && inverseErrorStd[j] == 0.0) {
    return;
  }
  let state = parameters.variables * cells;
  let r = inverseErrorStd[j] / f32(parameters.members - 1u);
  var c = 0.0;
  if (r != 0.0) {
    let place = vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx));
    c = r * taperOf(place - vec2f(positionX[j], positionY[j]));
  }
  for (var v = 0u; v < parameters.variables; v++) {
    let i = v * cells + cell;
    var product = 0.0;
    if (c != 0.0) {
      for (var l = 0u; l < parameters.members; l++) {
        product += anomalies[l * state + i] * observedAnomalies[l * parameters.observations + j];
      }
    }
    output[id.z * state + i] = c * product;
  }
}
