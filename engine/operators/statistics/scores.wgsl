// Kernels of the scores.

// == layout-of-sums ==
// Partial sums: [quantities][variables][parts] of errors and variances, then [plain, fair][scored][parts] of the CRPS.

const QUANTITIES = 5u;

fn sumAt(quantity: u32, variable: u32, part: u32) -> u32 {
  return (quantity * parameters.variables + variable) * parameters.parts + part;
}

fn crpsAt(row: u32, part: u32) -> u32 {
  return (QUANTITIES * parameters.variables + row) * parameters.parts + part;
}

// == ensemble-scores ==
// The mean x̄, and partial sums over 256 cells of each variable, w the weight of the cell and e = x̄ − t its error: w e²,
// w Σ_l (x_l − x̄)²/(k − 1), w, and about the part's own mean error m = Σ w e / Σ w: m, and w (e − m)², so that a level far above the
// pattern takes none of the pattern's digits. Of a scored variable also w (1/k Σ_i |x_i − t| − 1/k² Σ_(i < j) |x_i − x_j|)
// [hersbach2000], and its fair form, with 1/(k(k − 1)) in place of 1/k². Needs library/reduction.wgsl and `layout-of-sums`.
// Differences from the truth come first, so that float32 keeps the digits of small errors; the mean is taken about the first
// member, as in ensemble.wgsl.
// Workgroup: 256 invocations along the cells; parts are folded into x and y, variables are along z.
// Boundary: cells that are not there add 0; parts that are not there are not stored.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> truth: array<f32>;
/// [cells]
@group(0) @binding(3) var<storage, read> weight: array<f32>;
/// [variables]: the row among the scored variables, or one beyond them.
@group(0) @binding(4) var<storage, read> rowOf: array<u32>;
@group(0) @binding(5) var<storage, read_write> means: array<f32>;
@group(0) @binding(6) var<storage, read_write> sums: array<f32>;

fn memberAt(member: u32, i: u32) -> f32 {
  return ensemble[member * parameters.variables * parameters.cells + i];
}

/// The CRPS, and its fair form, of element i of a member. Four members at a time against each later one, so that a member is
/// read k/4 times; members beyond the last repeat it, with weight 0.
fn crpsOf(i: u32) -> vec2f {
  let members = parameters.members;
  let last = members - 1u;
  let t = truth[i];
  var distance = vec4f();
  var dispersion = vec4f();
  for (var first = 0u; first < members; first += 4u) {
    let index = first + vec4u(0u, 1u, 2u, 3u);
    let there = select(vec4f(), vec4f(1.0), index < vec4u(members));
    let x = vec4f(
      memberAt(first, i),
      memberAt(min(index.y, last), i),
      memberAt(min(index.z, last), i),
      memberAt(min(index.w, last), i),
    );
    distance += there * abs(x - t);
    var among = vec4f(
      0.0,
      abs(x.y - x.x),
      abs(x.z - x.x) + abs(x.z - x.y),
      abs(x.w - x.x) + abs(x.w - x.y) + abs(x.w - x.z),
    ) * there;
    for (var later = first + 4u; later < members; later++) {
      among += abs(x - memberAt(later, i));
    }
    dispersion += among;
  }
  let one = vec4f(1.0);
  let k = f32(members);
  return (dot(distance, one) - dot(dispersion, one) / vec2f(k, max(1.0, k - 1.0))) / k;
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
  var error = 0.0;
  var variance = 0.0;
  var share = 0.0;
  if (cell < parameters.cells) {
    let t = truth[i];
    let first = ensemble[i];
    var fromFirst = 0.0;
    share = weight[cell];
    for (var l = 0u; l < parameters.members; l++) {
      let x = memberAt(l, i);
      error += x - t;
      fromFirst += x - first;
    }
    error /= f32(parameters.members);
    means[i] = first + fromFirst / f32(parameters.members);
    for (var l = 0u; l < parameters.members; l++) {
      let anomaly = memberAt(l, i) - t - error;
      variance += anomaly * anomaly;
    }
    variance /= f32(max(parameters.members, 2u) - 1u);
  }
  let squareError = workgroupSum(share * error * error, lane);
  let totalVariance = workgroupSum(share * variance, lane);
  let shares = workgroupSum(share, lane);
  let sum = workgroupSum(share * error, lane);
  let meanError = select(0.0, sum / shares, shares > 0.0);
  let departure = error - meanError;
  let pattern = workgroupSum(share * departure * departure, lane);
  let isKept = lane == 0u && part < parameters.parts;
  if (isKept) {
    sums[sumAt(0u, group.z, part)] = squareError;
    sums[sumAt(1u, group.z, part)] = totalVariance;
    sums[sumAt(2u, group.z, part)] = shares;
    sums[sumAt(3u, group.z, part)] = meanError;
    sums[sumAt(4u, group.z, part)] = pattern;
  }
  let row = rowOf[group.z];
  var score = vec2f();
  if (row < parameters.scoredCount && share != 0.0) {
    score = share * crpsOf(i);
  }
  let plain = workgroupSum(score.x, lane);
  let fair = workgroupSum(score.y, lane);
  if (isKept && row < parameters.scoredCount) {
    sums[crpsAt(row, part)] = plain;
    sums[crpsAt(parameters.scoredCount + row, part)] = fair;
  }
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
// a part. Needs library/reduction.wgsl and `layout-of-sums`.
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
  for (var part = lane; part < parameters.parts; part += 256u) {
    sum += sums[crpsAt(row, part)];
  }
  let total = workgroupSum(sum, lane);
  if (lane == 0u) {
    scores[4u * parameters.variables + row] = total / f32(parameters.cells);
  }
}

fn joinVariable(variable: u32, lane: u32) {
  var squares = 0.0;
  var variances = 0.0;
  var weights = 0.0;
  // Means are joined as departures from that of the first part, which keeps the digits of what distinguishes them.
  let first = kept(3u, variable, 0u);
  var departures = 0.0;
  for (var part = lane; part < parameters.parts; part += 256u) {
    squares += kept(0u, variable, part);
    variances += kept(1u, variable, part);
    let shares = kept(2u, variable, part);
    weights += shares;
    departures += shares * (kept(3u, variable, part) - first);
  }
  let count = f32(parameters.cells);
  let totalSquares = workgroupSum(squares, lane);
  let totalVariances = workgroupSum(variances, lane);
  let totalWeight = workgroupSum(weights, lane);
  let totalDepartures = workgroupSum(departures, lane);
  let departure = select(0.0, totalDepartures / totalWeight, totalWeight > 0.0);
  var pattern = 0.0;
  for (var part = lane; part < parameters.parts; part += 256u) {
    let apart = kept(3u, variable, part) - first - departure;
    pattern += kept(4u, variable, part) + kept(2u, variable, part) * apart * apart;
  }
  let totalPattern = workgroupSum(pattern, lane);
  if (lane == 0u) {
    let variables = parameters.variables;
    scores[variable] = totalVariances / count;
    scores[variables + variable] = totalSquares / count;
    scores[2u * variables + variable] = select(0.0, first + departure, totalWeight > 0.0);
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
