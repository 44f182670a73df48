// Kernels of ensembles, of moments.ts and index.ts.

// == moments ==
// Moments of element i over the members of `ensemble` [members][length], for kernels that declare it and `parameters`.
// The mean is taken about the first member and the variance about the mean, so that float32 keeps the digits of the spread.
// Eight members are asked for at once: memory answers later than a few of them are added.

/// Members l to l + 3 of an element.
fn fourAt(l: u32, i: u32) -> vec4f {
  let at = l * parameters.length + i;
  let step = parameters.length;
  return vec4f(ensemble[at], ensemble[at + step], ensemble[at + 2u * step], ensemble[at + 3u * step]);
}

/// One after the other, as a loop adds them.
fn plus(sum: f32, terms: vec4f) -> f32 {
  return (((sum + terms.x) + terms.y) + terms.z) + terms.w;
}

fn meanAt(i: u32) -> f32 {
  let first = ensemble[i];
  var sum = 0.0;
  var l = 0u;
  for (; l + 8u <= parameters.members; l += 8u) {
    let terms = array(fourAt(l, i) - first, fourAt(l + 4u, i) - first);
    sum = plus(plus(sum, terms[0]), terms[1]);
  }
  for (; l < parameters.members; l++) {
    sum += ensemble[l * parameters.length + i] - first;
  }
  return first + sum / f32(parameters.members);
}

/// Divided by members − 1; 0 for a single member.
fn varianceAt(i: u32, mean: f32) -> f32 {
  var sum = 0.0;
  var l = 0u;
  for (; l + 8u <= parameters.members; l += 8u) {
    let terms = array(fourAt(l, i) - mean, fourAt(l + 4u, i) - mean);
    sum = plus(plus(sum, terms[0] * terms[0]), terms[1] * terms[1]);
  }
  for (; l < parameters.members; l++) {
    let anomaly = ensemble[l * parameters.length + i] - mean;
    sum += anomaly * anomaly;
  }
  return sum / f32(max(parameters.members, 2u) - 1u);
}

// == ensemble-mean ==
// mean_i = x₁_i + Σ_l (x_l − x₁)_i / k. Needs `moments`.
// Workgroup: 256 invocations along i, each the owner of its element. Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  mean[i] = meanAt(i);
}

// == ensemble-variance ==
// variance_i = factor · Σ_l (x_l − x̄)²_i / (k − 1), 0 for k = 1. Needs `moments`.
// Workgroup: 256 invocations along i, each the owner of its element. Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  variance[i] = parameters.factor * varianceAt(i, meanAt(i));
}

// == anomalies ==
// anomalies_l = factor · (x_l − x̄), and the mean. Needs `moments`.
// Workgroup: 256 invocations along i, each the owner of its element in all members. Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  let centre = meanAt(i);
  mean[i] = centre;
  for (var l = 0u; l < parameters.members; l++) {
    let at = l * parameters.length + i;
    anomalies[at] = parameters.factor * (ensemble[at] - centre);
  }
}

// == recentring ==
// x_l = mean + factor · anomaly_l.
// Workgroup: 256 invocations along i; workgroups along z are the members. Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  let at = id.z * parameters.length + i;
  ensemble[at] = mean[i] + parameters.factor * anomalies[at];
}

// == inflation ==
// x_l ← x̄ + factor · (x_l − x̄) in place. Needs `moments`.
// Workgroup: 256 invocations along i, each the owner of its element in all members. Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  let mean = meanAt(i);
  for (var l = 0u; l < parameters.members; l++) {
    let at = l * parameters.length + i;
    ensemble[at] = mean + parameters.factor * (ensemble[at] - mean);
  }
}

// == inflation-by ==
// x_l ← x̄ + √ρ (x_l − x̄) in place, ρ = factor[0]. Needs `moments`.
// Workgroup: 256 invocations along i, each the owner of its element in all members. Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  let root = sqrt(factor[0]);
  let mean = meanAt(i);
  for (var l = 0u; l < parameters.members; l++) {
    let at = l * parameters.length + i;
    ensemble[at] = mean + root * (ensemble[at] - mean);
  }
}

// == perturbation ==
// x_l ← x_l + factor · noise_l in place.
// Workgroup: 256 invocations along i; workgroups along z are the members. Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  let at = id.z * parameters.length + i;
  ensemble[at] += parameters.factor * noise[at];
}

// == relaxation ==
// The analysis' anomalies relaxed towards the background's [whitaker2012], the mean kept, in place:
//   RTPS: x′ᵃ += α (σᵇ − σᵃ)/σᵃ · x′ᵃ, nothing where σᵃ = 0;   RTPP: x′ᵃ += α (x′ᵇ − x′ᵃ).
// Needs `moments` (for the analysis, `ensemble`).
// Workgroup: 256 invocations along i, each the owner of its element in all members. Boundary: guarded.

override RELAX_SPREAD: bool;

fn backgroundMeanAt(i: u32) -> f32 {
  let first = background[i];
  var sum = 0.0;
  for (var l = 1u; l < parameters.members; l++) {
    sum += background[l * parameters.length + i] - first;
  }
  return first + sum / f32(parameters.members);
}

fn backgroundVarianceAt(i: u32, mean: f32) -> f32 {
  var sum = 0.0;
  for (var l = 0u; l < parameters.members; l++) {
    let anomaly = background[l * parameters.length + i] - mean;
    sum += anomaly * anomaly;
  }
  return sum / f32(max(parameters.members, 2u) - 1u);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  let mean = meanAt(i);
  let backgroundMean = backgroundMeanAt(i);
  var stretch = 0.0;
  if (RELAX_SPREAD) {
    let spread = sqrt(varianceAt(i, mean));
    if (spread > 0.0) {
      stretch = parameters.factor * (sqrt(backgroundVarianceAt(i, backgroundMean)) - spread) / spread;
    }
  }
  for (var l = 0u; l < parameters.members; l++) {
    let at = l * parameters.length + i;
    let anomaly = ensemble[at] - mean;
    if (RELAX_SPREAD) {
      ensemble[at] += stretch * anomaly;
    } else {
      ensemble[at] += parameters.factor * (background[at] - backgroundMean - anomaly);
    }
  }
}

// == ensemble-transform ==
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
