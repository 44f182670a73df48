// Analyses in observation space, a workgroup each.

// == choosing ==
// Workgroup: 64 lanes.

const LANES = 64u;

var<workgroup> chosenMask: array<atomic<u32>, 2>;
var<workgroup> chosenCount: u32;
var<workgroup> chosenSlot: array<u32, LANES>;
var<workgroup> chosenRoot: array<f32, LANES>;

/// Of the slots begin ... begin + LANES below `end`, lists those of positive weight around `place` in chosenSlot and
/// chosenRoot, in their own order. Returns how many, to all lanes alike.
fn choose(begin: u32, end: u32, place: vec2f, lane: u32) -> u32 {
  if (lane < 2u) {
    atomicStore(&chosenMask[lane], 0u);
  }
  workgroupBarrier();
  let slot = begin + lane;
  var root = 0.0;
  if (slot < end) {
    root = rootWeight(slots[slot], place);
  }
  if (root > 0.0) {
    atomicOr(&chosenMask[lane / 32u], 1u << (lane % 32u));
  }
  workgroupBarrier();
  let low = atomicLoad(&chosenMask[0]);
  let high = atomicLoad(&chosenMask[1]);
  if (root > 0.0) {
    let below = (1u << (lane % 32u)) - 1u;
    let rank = select(countOneBits(low) + countOneBits(high & below), countOneBits(low & below), lane < 32u);
    chosenSlot[rank] = slot;
    chosenRoot[rank] = root;
  }
  if (lane == 0u) {
    chosenCount = countOneBits(low) + countOneBits(high);
  }
  return workgroupUniformLoad(&chosenCount);
}

// == each-point ==
// A workgroup of 64 lanes for each grid point of the parameters. Needs the `atPoint` of a kernel, which all lanes reach together.

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let cell = parameters.firstCell + group.x + group.y * groups.x;
  if (cell < parameters.endCell) {
    atPoint(cell, vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx)), lane);
  }
}

// == listing ==
// Needs `choosing`.

/// At least localCapacity.
override listed: u32;

var<workgroup> localSlot: array<u32, listed>;
var<workgroup> localRoot: array<f32, listed>;

/// Lists the observations of positive weight around `place`. Returns how many.
fn findLocal(place: vec2f, lane: u32) -> u32 {
  let columns = columnsNear(place);
  let rows = rowsNear(place);
  var count = 0u;
  for (var r = 0u; r < rows.y; r++) {
    let row = (rows.x + r) % parameters.binsY;
    for (var part = 0u; part < 2u; part++) {
      let range = slotsOf(row, columns, part);
      for (var begin = range.x; begin < range.y; begin += LANES) {
        let chosen = choose(begin, range.y, place, lane);
        if (lane < chosen && count + lane < parameters.localCapacity) {
          localSlot[count + lane] = chosenSlot[lane];
          localRoot[count + lane] = chosenRoot[lane];
        }
        count = min(count + chosen, parameters.localCapacity);
        workgroupBarrier();
      }
    }
  }
  return count;
}

// == workgroup-tridiagonal ==
// Shared by the LETKF kernels that give a workgroup to each grid point, after `choosing`: a symmetric matrix A (order x order, positive
// semidefinite, scaled to trace below 1) in tridiagonal form (Householder), and four vectors in its basis. They travel as a vec4f
// (see blockBases in local.wgsl).

const LARGEST_ORDER = 128u;

/// The largest order of the matrix that workgroup memory is laid out for.
override order: u32;
override packedLength: u32 = order * (order + 1u) / 2u;

/// Lower triangle by rows; after tridiagonalise, column s below the diagonal holds reflection s.
var<workgroup> matrix: array<f32, packedLength>;
var<workgroup> diagonal: array<f32, order>;
/// Between i and i + 1.
var<workgroup> offDiagonal: array<f32, order>;
/// Reflection s is I - beta[s] v v^T.
var<workgroup> beta: array<f32, order>;
var<workgroup> work: array<f32, order>;
/// The four vectors to which functions of A are applied.
var<workgroup> vectors: array<vec4f, order>;
/// What lanes hand to each other: in sumOfLanes by lane, in sumPoles by pole, twice (one step of back substitution is
/// summed while the next is made).
var<workgroup> exchange: array<vec4f, LANES>;
var<workgroup> eighths: array<vec4f, 8>;

fn packed(i: u32, j: u32) -> u32 {
  return i * (i + 1u) / 2u + j;
}

/// The sum of `value` over the lanes, by eights. Must be reached by all of them.
fn sumOfLanes(value: vec4f, lane: u32) -> vec4f {
  exchange[lane] = value;
  workgroupBarrier();
  if (lane < 8u) {
    var sum = vec4f();
    for (var i = 0u; i < 8u; i++) {
      sum += exchange[8u * lane + i];
    }
    eighths[lane] = sum;
  }
  // No lane comes to write the eighths of the next sum before all have passed its first barrier.
  workgroupBarrier();
  var total = vec4f();
  for (var i = 0u; i < 8u; i++) {
    total += eighths[i];
  }
  return total;
}

/// Scales the leading n x n of matrix by its trace.
fn scaleByTrace(n: u32, lane: u32) -> Scaling {
  var trace = 0.0;
  for (var i = lane; i < n; i += LANES) {
    trace += matrix[packed(i, i)];
  }
  let scaling = scalingOf(sumOfLanes(vec4f(trace), lane).x);
  for (var e = lane; e < packed(n, 0u); e += LANES) {
    matrix[e] *= scaling.factor;
  }
  workgroupBarrier();
  return scaling;
}

/// Reduces the leading n x n of matrix to (diagonal, offDiagonal), keeping the reflections. n must be uniform.
fn tridiagonalise(n: u32, lane: u32) {
  for (var s = 0u; s + 2u < n; s++) {
    let head = s + 1u;
    let alpha = matrix[packed(head, s)];
    var squares = 0.0;
    for (var i = s + 2u + lane; i < n; i += LANES) {
      let below = matrix[packed(i, s)];
      squares = fma(below, below, squares);
    }
    let tail = sumOfLanes(vec4f(squares), lane).x;
    let square = fma(alpha, alpha, tail);
    let norm = sqrt(square);
    // Below 1e-30 nothing is left to reflect, next to a matrix scaled to trace 1.
    let reflects = tail > 1e-30;
    let edge = select(alpha, select(norm, -norm, alpha >= 0.0), reflects);
    let factor = select(0.0, 1.0 / (square + abs(alpha) * norm), reflects);
    if (lane == 0u) {
      offDiagonal[s] = edge;
      beta[s] = factor;
      matrix[packed(head, s)] = alpha - edge;
    }
    workgroupBarrier();
    var inner = 0.0;
    for (var i = head + lane; i < n; i += LANES) {
      var sum = 0.0;
      for (var j = head; j <= i; j++) {
        sum = fma(matrix[packed(i, j)], matrix[packed(j, s)], sum);
      }
      for (var j = i + 1u; j < n; j++) {
        sum = fma(matrix[packed(j, i)], matrix[packed(j, s)], sum);
      }
      work[i] = factor * sum;
      inner = fma(work[i], matrix[packed(i, s)], inner);
    }
    let half = 0.5 * factor * sumOfLanes(vec4f(inner), lane).x;
    for (var i = head + lane; i < n; i += LANES) {
      work[i] = fma(-half, matrix[packed(i, s)], work[i]);
    }
    workgroupBarrier();
    for (var i = head + lane / 8u; i < n; i += 8u) {
      for (var j = head + lane % 8u; j <= i; j += 8u) {
        matrix[packed(i, j)] -= fma(matrix[packed(i, s)], work[j], work[i] * matrix[packed(j, s)]);
      }
    }
    workgroupBarrier();
  }
  for (var i = lane; i < n; i += LANES) {
    diagonal[i] = matrix[packed(i, i)];
  }
  if (lane == 0u && n > 1u) {
    offDiagonal[n - 2u] = matrix[packed(n - 1u, n - 2u)];
  }
  workgroupBarrier();
}

/// vectors <- Q^T vectors, or Q vectors where `back`. A lane keeps to its own elements, so that only the sums need barriers.
fn changeBasis(n: u32, back: bool, lane: u32) {
  for (var step = 0u; step + 2u < n; step++) {
    let s = select(step, n - 3u - step, back);
    var sum = vec4f();
    for (var i = lane; i < n; i += LANES) {
      if (i > s) {
        sum += matrix[packed(i, s)] * vectors[i];
      }
    }
    let along = beta[s] * sumOfLanes(sum, lane);
    for (var i = lane; i < n; i += LANES) {
      if (i > s) {
        vectors[i] -= matrix[packed(i, s)] * along;
      }
    }
  }
  workgroupBarrier();
}

// == workgroup-root ==
// Functions of A applied to the four vectors. A pole of the rational approximation is an LDL^T of a tridiagonal matrix, done by one
// lane, all poles side by side [hht2008]. Pivots are never below the pole's shift: the clamp holds them there against rounding.
// Needs `workgroup-tridiagonal` and `locality`.

/// (I + A)^-1 of the first right side, in the basis of the tridiagonal form.
var<workgroup> meanWeights: array<f32, order>;
/// What comes out.
var<workgroup> results: array<vec4f, order>;

var<private> pivot: array<f32, LARGEST_ORDER>;
var<private> forward: array<vec4f, LARGEST_ORDER>;

/// results <- sum over lanes of weight (T + shift)^-1 vectors: a lane a pole, lanes of weight 0 without one.
fn sumPoles(n: u32, shift: f32, weight: vec4f, lane: u32) {
  let solves = any(weight != vec4f());
  if (solves) {
    pivot[0] = max(diagonal[0] + shift, shift);
    forward[0] = vectors[0];
    for (var i = 1u; i < n; i++) {
      let ratio = offDiagonal[i - 1u] / pivot[i - 1u];
      pivot[i] = max(fma(-ratio, offDiagonal[i - 1u], diagonal[i] + shift), shift);
      forward[i] = vectors[i] - ratio * forward[i - 1u];
    }
  }
  var next = vec4f();
  for (var back = n; back > 0u; back--) {
    let i = back - 1u;
    if (solves) {
      let edge = select(0.0, offDiagonal[i], back < n);
      next = (forward[i] - edge * next) / pivot[i];
    }
    let half = (i & 1u) * (POLE_STRIDE + 1u);
    if (lane <= POLE_STRIDE) {
      exchange[half + lane] = weight * next;
    }
    workgroupBarrier();
    if (lane == 0u) {
      var sum = vec4f();
      for (var m = 0u; m <= POLE_STRIDE; m++) {
        sum += exchange[half + m];
      }
      results[i] = sum;
    }
  }
  workgroupBarrier();
}

/// results <- f(A) vectors, and vectors to the basis of the tridiagonal form, where results stay too. The side of the mean
/// gets the inverse instead, kept in meanWeights.
/// @param kind which weights of the poles: 1 the inverse root, 2 f (see dual-lane.wgsl)
/// @param weightScale what scaling makes of the weights
fn applyFunction(n: u32, scaling: Scaling, kind: u32, weightScale: f32, block: u32, lane: u32) {
  let begin = polesFor(1.0 / scaling.unit);
  let count = u32(poles[begin].w);
  var shift = scaling.unit;
  var weight = vec4f();
  if (lane < count) {
    let pole = poles[begin + lane];
    shift = scaling.unit * pole.x;
    weight = sideWeights(block, weightScale * pole[kind]);
  } else if (lane == count && block == 0u) {
    weight = vec4f(scaling.factor, 0.0, 0.0, 0.0);
  }
  changeBasis(n, false, lane);
  sumPoles(n, shift, weight, lane);
  if (block == 0u) {
    for (var i = lane; i < n; i += LANES) {
      meanWeights[i] = results[i].x;
    }
  }
  workgroupBarrier();
}

/// The products of the four vectors with the mean weights, after applyFunction and in its basis.
fn alongMeanWeights(n: u32, lane: u32) -> vec4f {
  var sum = vec4f();
  for (var i = lane; i < n; i += LANES) {
    sum += meanWeights[i] * vectors[i];
  }
  return sumOfLanes(sum, lane);
}

// == observations ==
// The problem in the space of the local observations: G = S S^T. Needs `listing` and `workgroup-tridiagonal`.

/// matrix <- S S^T.
fn gramMatrix(n: u32, lane: u32) {
  for (var i = lane / 8u; i < n; i += 8u) {
    for (var j = lane % 8u; j <= i; j += 8u) {
      var four = vec4f();
      for (var quad = 0u; quad < parameters.quads; quad++) {
        let a = anomalies[localSlot[i] * parameters.quads + quad];
        let b = anomalies[localSlot[j] * parameters.quads + quad];
        four = fma(a, b, four);
      }
      matrix[packed(i, j)] = localRoot[i] * localRoot[j] * ((four.x + four.y) + (four.z + four.w));
    }
  }
  workgroupBarrier();
}

// == dual-workgroup ==
// LETKF analysis in the space of the local observations, one grid point a workgroup, if there are too many observations
// for one invocation [hunt2007]. Equation: see dual-lane.wgsl.
//
// Needs `each-point` and `observations`. Bindings: see local.wgsl. 64 lanes over observations, matrix entries or members; `order`
// is at least localCapacity.
// Observations met beyond localCapacity are omitted.

override memberCapacity: u32;

/// Members of four variables about their means.
var<workgroup> members: array<vec4f, memberCapacity>;

fn atPoint(cell: u32, place: vec2f, lane: u32) {
  let n = findLocal(place, lane);
  let stretch = stretchAt(cell);
  gramMatrix(n, lane);
  let scaling = scaleByTrace(n, lane);
  tridiagonalise(n, lane);
  for (var block = 0u; 4u * block <= parameters.variables; block++) {
    let bases = blockBases(block, cell);
    let origin = blockMember(bases, 0u);
    var sum = vec4f();
    for (var i = lane; i < parameters.members; i += LANES) {
      let x = blockMember(bases, i) - origin;
      members[i] = x;
      sum += x;
    }
    let mean = sumOfLanes(sum, lane) / f32(parameters.members);
    for (var a = lane; a < n; a += LANES) {
      var q = vec4f();
      for (var i = 0u; i < parameters.members; i++) {
        q += anomalies[localSlot[a] * parameters.quads + i / 4u][i % 4u] * (members[i] - mean);
      }
      q *= localRoot[a];
      if (block == 0u) {
        q.x = localRoot[a] * slots[localSlot[a]].z;
      }
      vectors[a] = q;
    }
    workgroupBarrier();
    applyFunction(n, scaling, 2u, scaling.factor, block, lane);
    let centre = mean + parameters.meanScale * alongMeanWeights(n, lane);
    for (var i = lane; i < n; i += LANES) {
      vectors[i] = results[i];
    }
    changeBasis(n, true, lane);
    for (var i = lane; i < parameters.members; i += LANES) {
      var x = members[i] - mean;
      for (var a = 0u; a < n; a++) {
        x -= localRoot[a] * anomalies[localSlot[a] * parameters.quads + i / 4u][i % 4u] * vectors[a];
      }
      writeMember(block, bases, i, origin + (centre + stretch * x));
    }
    workgroupBarrier();
  }
}
