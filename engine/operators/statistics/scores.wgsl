// Kernels of the scores.

// == layout-of-sums ==
// Partial sums: [quantities][variables][parts] of errors and variances, then [plain, fair][scored][crpsParts] of the CRPS.

const QUANTITIES = 5u;

fn sumAt(quantity: u32, variable: u32, part: u32) -> u32 {
  return (quantity * parameters.variables + variable) * parameters.parts + part;
}

fn crpsAt(row: u32, part: u32) -> u32 {
  return QUANTITIES * parameters.variables * parameters.parts + row * parameters.crpsParts + part;
}

// == ensemble-scores ==
// The mean x̄, and partial sums over 256 cells of each variable, w the weight of the cell and e = x̄ − t its error: w e²,
// w Σ_l (x_l − x̄)²/(k − 1), w, and about the part's own mean error m = Σ w e / Σ w: m, and w (e − m)², so that a level far above the
// pattern takes none of the pattern's digits. Of a scored variable also w times the CRPS and its fair form, unless that has a
// kernel of its own. Needs library/vector-reduction.wgsl, `layout-of-sums`, and `scoresOf`.
// Differences from the truth come first, so that float32 keeps the digits of small errors; the mean is taken about the first
// member, as in ensemble.wgsl.
// Workgroup: 256 invocations along the cells; parts are folded into x and y, variables are along z.
// Boundary: cells that are not there add 0; parts that are not there are not stored.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> truth: array<f32>;
/// [cells]
@group(0) @binding(3) var<storage, read> weight: array<f32>;
/// [variables]: the row among the variables whose CRPS is taken here, or one beyond them.
@group(0) @binding(4) var<storage, read> rowOf: array<u32>;
@group(0) @binding(5) var<storage, read_write> means: array<f32>;
@group(0) @binding(6) var<storage, read_write> sums: array<f32>;

/// Of an element: the mean's error, the mean, the variance, and the CRPS with its fair form.
struct Scores {
  error: f32,
  mean: f32,
  variance: f32,
  crps: vec2f,
}

fn memberAt(member: u32, i: u32) -> f32 {
  return ensemble[member * parameters.variables * parameters.cells + i];
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.y * groups.x;
  let cell = part * 256u + lane;
  let i = group.z * parameters.cells + cell;
  let row = rowOf[group.z];
  var own: Scores;
  var share = 0.0;
  if (cell < parameters.cells) {
    share = weight[cell];
    own = scoresOf(i, row < parameters.scoredCount && share != 0.0);
    means[i] = own.mean;
  }
  let error = own.error;
  let total = workgroupSums(vec4f(share * error * error, share * own.variance, share, share * error), lane);
  let meanError = select(0.0, total.w / total.z, total.z > 0.0);
  let departure = error - meanError;
  let rest = workgroupSums(vec4f(share * departure * departure, share * own.crps, 0.0), lane);
  if (lane == 0u && part < parameters.parts) {
    sums[sumAt(0u, group.z, part)] = total.x;
    sums[sumAt(1u, group.z, part)] = total.y;
    sums[sumAt(2u, group.z, part)] = total.z;
    sums[sumAt(3u, group.z, part)] = meanError;
    sums[sumAt(4u, group.z, part)] = rest.x;
    if (row < parameters.scoredCount) {
      sums[crpsAt(row, part)] = rest.y;
      sums[crpsAt(parameters.scoredCount + row, part)] = rest.z;
    }
  }
}

// == scores-of-many ==
// `scoresOf` of any number of members, without the CRPS. Eight members are asked for at once: memory answers later than a few of them
// are added.

fn fourAt(l: u32, i: u32) -> vec4f {
  return vec4f(memberAt(l, i), memberAt(l + 1u, i), memberAt(l + 2u, i), memberAt(l + 3u, i));
}

/// One after the other, as a loop adds them.
fn plus(sum: f32, terms: vec4f) -> f32 {
  return (((sum + terms.x) + terms.y) + terms.z) + terms.w;
}

fn scoresOf(i: u32, isScored: bool) -> Scores {
  let k = parameters.members;
  let t = truth[i];
  let first = ensemble[i];
  var error = 0.0;
  var fromFirst = 0.0;
  var l = 0u;
  for (; l + 8u <= k; l += 8u) {
    let some = array(fourAt(l, i), fourAt(l + 4u, i));
    error = plus(plus(error, some[0] - t), some[1] - t);
    fromFirst = plus(plus(fromFirst, some[0] - first), some[1] - first);
  }
  for (; l < k; l++) {
    let x = memberAt(l, i);
    error += x - t;
    fromFirst += x - first;
  }
  error /= f32(k);
  var variance = 0.0;
  l = 0u;
  for (; l + 8u <= k; l += 8u) {
    let some = array(fourAt(l, i) - t - error, fourAt(l + 4u, i) - t - error);
    variance = plus(plus(variance, some[0] * some[0]), some[1] * some[1]);
  }
  for (; l < k; l++) {
    let anomaly = memberAt(l, i) - t - error;
    variance += anomaly * anomaly;
  }
  return Scores(error, first + fromFirst / f32(k), variance / f32(max(k, 2u) - 1u), vec2f());
}

// == mean-of-parts ==
// means[row] = Σ_part parts[row][part] / count. Needs library/reduction.wgsl.
// Workgroup: 256 invocations for a row, each adding every 256th part, then pairwise. Boundary: by the loop.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> parts: array<f32>;
@group(0) @binding(2) var<storage, read_write> means: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) row: vec3u, @builtin(local_invocation_index) lane: u32) {
  var sum = 0.0;
  for (var part = lane; part < parameters.parts; part += 256u) {
    sum += parts[row.x * parameters.parts + part];
  }
  let total = workgroupSum(sum, lane);
  if (lane == 0u) {
    means[row.x] = total / parameters.count;
  }
}

// == scores-of-parts ==
// The scores from the partial sums of `ensemble-scores`: of a variable, or of a row of the CRPS. Means and squares about the mean
// of the parts are joined as those of samples are [chan1983]: Σ w (e − ē)² = Σ_p [Σ w (e − m_p)² + W_p (m_p − ē)²], W_p the weight of
// a part. Needs library/vector-reduction.wgsl and `layout-of-sums`.
// Workgroup: 256 invocations along the parts of the variable, or of the row, that is its number.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> sums: array<f32>;
/// Variances, square errors, mean errors, squares of the pattern: [variables] each; the CRPS and its fair form: [scored] each.
@group(0) @binding(2) var<storage, read_write> scores: array<f32>;

fn kept(quantity: u32, variable: u32, part: u32) -> f32 {
  return sums[sumAt(quantity, variable, part)];
}

fn joinCrps(row: u32, lane: u32) {
  var sum = 0.0;
  for (var part = lane; part < parameters.crpsParts; part += 256u) {
    sum += sums[crpsAt(row, part)];
  }
  let total = workgroupSums(vec4f(sum), lane).x;
  if (lane == 0u) {
    scores[4u * parameters.variables + row] = total / f32(parameters.cells);
  }
}

fn joinVariable(variable: u32, lane: u32) {
  // Square errors, variances, weights. Means are joined as departures from that of the first part, which keeps the digits of what
  // distinguishes them.
  var own = vec4f();
  let first = kept(3u, variable, 0u);
  for (var part = lane; part < parameters.parts; part += 256u) {
    let shares = kept(2u, variable, part);
    let departure = shares * (kept(3u, variable, part) - first);
    own += vec4f(kept(0u, variable, part), kept(1u, variable, part), shares, departure);
  }
  let count = f32(parameters.cells);
  let total = workgroupSums(own, lane);
  let departure = select(0.0, total.w / total.z, total.z > 0.0);
  var pattern = 0.0;
  for (var part = lane; part < parameters.parts; part += 256u) {
    let apart = kept(3u, variable, part) - first - departure;
    pattern += kept(4u, variable, part) + kept(2u, variable, part) * apart * apart;
  }
  let totalPattern = workgroupSums(vec4f(pattern), lane).x;
  if (lane == 0u) {
    let variables = parameters.variables;
    scores[variable] = total.y / count;
    scores[variables + variable] = total.x / count;
    scores[2u * variables + variable] = select(0.0, first + departure, total.z > 0.0);
    scores[3u * variables + variable] = totalPattern / count;
  }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (group.x < parameters.variables) {
    joinVariable(group.x, lane);
  } else {
    joinCrps(group.x - parameters.variables, lane);
  }
}
