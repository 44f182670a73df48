// A factor of every grid point's own (point-inflation.ts has the formulas).

// == points ==
// Bindings: 0 parameters and 1 estimate; 2 scaled anomalies of the observed ensemble [slot][k padded to a multiple of 4]; 3 slots (x, y,
// innovation, number); 4 first slot of each bin; 5 the factors [ny][nx].

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<uniform> estimate: Estimate;
@group(0) @binding(2) var<storage, read> anomalies: array<vec4f>;
@group(0) @binding(3) var<storage, read> slots: array<vec4f>;
@group(0) @binding(4) var<storage, read> binStart: array<u32>;
@group(0) @binding(5) var<storage, read_write> factors: array<f32>;

// == update ==
// The Kalman update by the size of the innovations [miyoshi2011]. Workgroup: 64 grid points along x.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let cell = linearIndex(id, groups, 64u);
  if (cell >= parameters.endCell) {
    return;
  }
  let place = vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx));
  let columns = columnsNear(place);
  let rows = rowsNear(place);
  var size = 0.0;
  var stated = 0.0;
  var found = 0.0;
  for (var r = 0u; r < rows.y; r++) {
    let row = (rows.x + r) % parameters.binsY;
    for (var part = 0u; part < 2u; part++) {
      let range = slotsOf(row, columns, part);
      for (var slot = range.x; slot < range.y; slot++) {
        let root = rootWeight(slots[slot], place);
        if (root > 0.0) {
          var squares = 0.0;
          for (var quad = 0u; quad < parameters.quads; quad++) {
            let four = anomalies[slot * parameters.quads + quad];
            squares += dot(four, four);
          }
          let weight = root * root;
          let innovation = slots[slot].z;
          size += weight;
          found += weight * (innovation * innovation - 1.0);
          stated += weight * squares;
        }
      }
    }
  }
  if (stated > 0.0) {
    let prior = factors[cell];
    let ratio = (prior * stated + size) / stated;
    let gain = estimate.priorVariance / (estimate.priorVariance + 2.0 / size * ratio * ratio);
    factors[cell] = clamp(prior + gain * (found / stated - prior), estimate.least, estimate.most);
  }
}

// == search ==
// The factor at which the dual cost of the finite-size filter is least [bocquet2012], for `each-point` and after
// `workgroup-tridiagonal`. Of a factor rho, scaled by the trace, with s = unit/rho and Q(s) = z^T (T + s)^-1 z:
//
//   d^T (I + rho G)^-1 d = factor/rho Q       of observations, z = d
//                        = |d|^2 - factor^2/unit Q    of members, z = S^T d.
//
// A lane tries a factor: first SEARCHED of the whole range, then as many between the two beside the best of them, ROUNDS times.

const SEARCHED = 32u;
const ROUNDS = 5u;

struct DualCost {
  n: u32,
  isDual: bool,
  scaling: Scaling,
  /// Of the hyperprior.
  unknownMean: f32,
  logarithm: f32,
}

/// Q of the first of the four vectors, its derivative by s, and tr (T + s)^-1.
fn sweep(n: u32, s: f32) -> vec3f {
  var inverse = 0.0;
  // The derivative of a pivot over the pivot.
  var rate = 0.0;
  var forward = 0.0;
  var forwardRate = 0.0;
  var sums = vec3f();
  for (var i = 0u; i < n; i++) {
    var edge = 0.0;
    if (i > 0u) {
      edge = offDiagonal[i - 1u];
    }
    let ratio = edge * inverse;
    let pivot = max(fma(-ratio, edge, diagonal[i] + s), s);
    forwardRate = ratio * (rate * forward - forwardRate);
    forward = vectors[i].x - ratio * forward;
    inverse = 1.0 / pivot;
    rate = (1.0 + ratio * edge * rate) * inverse;
    let share = forward * inverse;
    sums += vec3f(share * forward, share * (2.0 * forwardRate - forward * rate), rate);
  }
  return sums;
}

/// The cost of a factor, and its derivative by ln rho.
fn costOf(c: DualCost, rho: f32) -> vec2f {
  let s = c.scaling.unit / rho;
  let found = sweep(c.n, s);
  var misfit = vec2f(found.x, -(found.x + s * found.y)) * (c.scaling.factor / rho);
  if (!c.isDual) {
    misfit = vec2f(-found.x, s * found.y) * (c.scaling.factor * c.scaling.factor / c.scaling.unit);
  }
  let prior = vec2f(c.unknownMean / rho + c.logarithm * log(rho), c.logarithm - c.unknownMean / rho);
  return prior + misfit / f32(parameters.members - 1u);
}

/// What lanes have found. Must be reached by all of them.
fn exchanged(value: f32, lane: u32) {
  workgroupBarrier();
  exchange[lane].x = value;
  workgroupBarrier();
}

fn leastCost(c: DualCost, lane: u32) -> f32 {
  let first = c.unknownMean / c.logarithm;
  let ratio = pow(estimate.most / first, 1.0 / f32(SEARCHED - 1u));
  exchanged(costOf(c, first * pow(ratio, f32(lane % SEARCHED))).x, lane);
  var best = 0u;
  for (var i = 1u; i < SEARCHED; i++) {
    if (exchange[i].x < exchange[best].x) {
      best = i;
    }
  }
  var low = first * pow(ratio, f32(max(best, 1u) - 1u));
  var high = min(estimate.most, first * pow(ratio, f32(best + 1u)));
  for (var round = 0u; round < ROUNDS; round++) {
    let step = high / low;
    let share = 1.0 / f32(SEARCHED + 1u);
    exchanged(costOf(c, low * pow(step, share * f32(lane % SEARCHED + 1u))).y, lane);
    var falling = 0u;
    while (falling < SEARCHED && exchange[falling].x < 0.0) {
      falling += 1u;
    }
    let below = low;
    if (falling < SEARCHED) {
      high = below * pow(step, share * f32(falling + 1u));
    }
    low = below * pow(step, share * f32(falling));
  }
  return sqrt(low * high);
}

/// Finds and writes the factor of a grid point whose problem of order n is in matrix, with its right side in the first of the vectors.
fn findFactor(n: u32, isDual: bool, cell: u32, lane: u32) {
  let k = f32(parameters.members);
  let scaling = scaleByTrace(n, lane);
  tridiagonalise(n, lane);
  changeBasis(n, false, lane);
  let trace = scaling.unit * sweep(n, scaling.unit).z;
  let share = (k - f32(n) + trace) / k;
  let correction = pow(1.0 - 1.0 / (k * k), 0.5 * share);
  let unknownMean = estimate.certainty * (k + 1.0) / k / correction;
  let logarithm = estimate.certainty * k / (k - 1.0) * correction;
  let found = leastCost(DualCost(n, isDual, scaling, unknownMean, logarithm), lane);
  if (lane == 0u) {
    factors[cell] = found;
  }
}

// == search-observations ==
// Needs `search` and `observations`.

fn atPoint(cell: u32, place: vec2f, lane: u32) {
  let n = findLocal(place, lane);
  gramMatrix(n, lane);
  for (var a = lane; a < n; a += LANES) {
    vectors[a] = vec4f(localRoot[a] * slots[localSlot[a]].z, 0.0, 0.0, 0.0);
  }
  workgroupBarrier();
  findFactor(n, true, cell, lane);
}

// == search-members ==
// Needs `search` and `members`.

fn atPoint(cell: u32, place: vec2f, lane: u32) {
  gatherMembers(place, lane);
  for (var i = lane; i < parameters.members; i += LANES) {
    vectors[i] = vec4f(gradient[i], 0.0, 0.0, 0.0);
  }
  workgroupBarrier();
  findFactor(parameters.members, false, cell, lane);
}
