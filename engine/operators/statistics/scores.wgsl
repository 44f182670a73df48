// Kernels of the scores.

// == ensemble-scores ==
// Partial sums over 256 cells of each variable, w the weight of the cell and e = x̄ − t its error: w e², w Σ_l (x_l − x̄)²/(k − 1),
// w, and about the part's own mean error m = Σ w e / Σ w: m, and w (e − m)², so that a level far above the pattern takes none
// of the pattern's digits. Needs library/reduction.wgsl.
// Differences from the truth come first, so that float32 keeps the digits of small errors.
// Workgroup: 256 invocations along the cells; parts are folded into x and y, variables are along z.
// Boundary: cells that are not there add 0; parts that are not there are not stored.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> truth: array<f32>;
/// [cells]
@group(0) @binding(3) var<storage, read> weight: array<f32>;
/// [quantities][variables][parts], the quantities in the order above.
@group(0) @binding(4) var<storage, read_write> parts: array<f32>;

fn keep(quantity: u32, row: u32, part: u32, value: f32) {
  parts[(quantity * parameters.variables + row) * parameters.parts + part] = value;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.y * groups.x;
  let cell = part * 256u + lane;
  var error = 0.0;
  var variance = 0.0;
  var share = 0.0;
  if (cell < parameters.cells) {
    let state = parameters.variables * parameters.cells;
    let i = group.z * parameters.cells + cell;
    let t = truth[i];
    share = weight[cell];
    for (var l = 0u; l < parameters.members; l++) {
      error += ensemble[l * state + i] - t;
    }
    error /= f32(parameters.members);
    for (var l = 0u; l < parameters.members; l++) {
      let anomaly = ensemble[l * state + i] - t - error;
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
  if (lane == 0u && part < parameters.parts) {
    keep(0u, group.z, part, squareError);
    keep(1u, group.z, part, totalVariance);
    keep(2u, group.z, part, shares);
    keep(3u, group.z, part, meanError);
    keep(4u, group.z, part, pattern);
  }
}

// == crps ==
// Partial sums over 256 cells of w (1/k Σ_i |x_i − t| − 1/k² Σ_(i < j) |x_i − x_j|) [hersbach2000] of each scored variable, and
// of the fair score, with 1/(k(k − 1)) in place of 1/k²; w is the weight of the cell.
// Four members at a time against each later one, so that a member is read k/4 times. Needs library/reduction.wgsl.
// Workgroup: 256 invocations along the cells; parts are folded into x and y, scored variables
// are along z.
// Boundary: members beyond the last repeat it, with weight 0; cells that are not there add 0.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> truth: array<f32>;
/// [cells]
@group(0) @binding(3) var<storage, read> weight: array<f32>;
/// Indices of the scored variables.
@group(0) @binding(4) var<storage, read> scored: array<u32>;
/// [plain, fair][scored][parts]
@group(0) @binding(5) var<storage, read_write> scores: array<f32>;

fn memberAt(member: u32, cell: u32) -> f32 {
  return ensemble[member * parameters.variables * parameters.cells + cell];
}

/// The score, and the fair score, of element `cell` of a member: of one variable and place.
fn scoresAt(cell: u32) -> vec2f {
  let members = parameters.members;
  let last = members - 1u;
  let t = truth[cell];
  var distance = vec4f();
  var dispersion = vec4f();
  for (var first = 0u; first < members; first += 4u) {
    let index = first + vec4u(0u, 1u, 2u, 3u);
    let there = select(vec4f(), vec4f(1.0), index < vec4u(members));
    let x = vec4f(
      memberAt(first, cell),
      memberAt(min(index.y, last), cell),
      memberAt(min(index.z, last), cell),
      memberAt(min(index.w, last), cell),
    );
    distance += there * abs(x - t);
    var among = vec4f(
      0.0,
      abs(x.y - x.x),
      abs(x.z - x.x) + abs(x.z - x.y),
      abs(x.w - x.x) + abs(x.w - x.y) + abs(x.w - x.z),
    ) * there;
    for (var later = first + 4u; later < members; later++) {
      among += abs(x - memberAt(later, cell));
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
  var score = vec2f();
  if (cell < parameters.cells && weight[cell] != 0.0) {
    score = weight[cell] * scoresAt(scored[group.z] * parameters.cells + cell);
  }
  let plain = workgroupSum(score.x, lane);
  let fair = workgroupSum(score.y, lane);
  if (lane == 0u && part < parameters.parts) {
    let rows = groups.z * parameters.parts;
    scores[group.z * parameters.parts + part] = plain;
    scores[rows + group.z * parameters.parts + part] = fair;
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
// The scores of each variable from the partial sums of `ensemble-scores`. Means and squares about the mean of the parts are
// joined as those of samples are [chan1983]: Σ w (e − ē)² = Σ_p [Σ w (e − m_p)² + W_p (m_p − ē)²], W_p the weight of a part.
// Needs library/reduction.wgsl. Workgroup: 256 invocations along the parts of the variable that is its number.

@group(0) @binding(0) var<uniform> parameters: Parameters;
/// [quantities][variables][parts]
@group(0) @binding(1) var<storage, read> parts: array<f32>;
/// [variables] each
@group(0) @binding(2) var<storage, read_write> meanSquareError: array<f32>;
@group(0) @binding(3) var<storage, read_write> meanVariance: array<f32>;
@group(0) @binding(4) var<storage, read_write> meanError: array<f32>;
@group(0) @binding(5) var<storage, read_write> patternSquareError: array<f32>;

fn kept(quantity: u32, row: u32, part: u32) -> f32 {
  return parts[(quantity * parameters.variables + row) * parameters.parts + part];
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let row = group.x;
  var squares = 0.0;
  var variances = 0.0;
  var weights = 0.0;
  // Means are joined as departures from that of the first part, which keeps the digits of what distinguishes them.
  let first = kept(3u, row, 0u);
  var departures = 0.0;
  for (var part = lane; part < parameters.parts; part += 256u) {
    squares += kept(0u, row, part);
    variances += kept(1u, row, part);
    let shares = kept(2u, row, part);
    weights += shares;
    departures += shares * (kept(3u, row, part) - first);
  }
  let count = f32(parameters.cells);
  let totalSquares = workgroupSum(squares, lane);
  let totalVariances = workgroupSum(variances, lane);
  let totalWeight = workgroupSum(weights, lane);
  let totalDepartures = workgroupSum(departures, lane);
  let departure = select(0.0, totalDepartures / totalWeight, totalWeight > 0.0);
  var pattern = 0.0;
  for (var part = lane; part < parameters.parts; part += 256u) {
    let apart = kept(3u, row, part) - first - departure;
    pattern += kept(4u, row, part) + kept(2u, row, part) * apart * apart;
  }
  let totalPattern = workgroupSum(pattern, lane);
  if (lane == 0u) {
    meanSquareError[row] = totalSquares / count;
    meanVariance[row] = totalVariances / count;
    meanError[row] = select(0.0, first + departure, totalWeight > 0.0);
    patternSquareError[row] = totalPattern / count;
  }
}
