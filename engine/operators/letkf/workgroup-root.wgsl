// Shared by the LETKF kernels that give a workgroup to each grid point: choosing its observations, and applying functions of
// a symmetric matrix A (order x order, positive semidefinite, scaled to trace below 1) to four vectors at once.
//
// A is brought to tridiagonal form once (Householder); a pole of the rational approximation is then an LDL^T of a tridiagonal
// matrix, done by one lane, all poles side by side [hht2008]. Pivots are never below the pole's shift: the clamp holds them
// there against rounding. Four vectors travel as a vec4f; in the first of all, x is the right side of the mean weights.

const LANES = 64u;
const LARGEST_ORDER = 128u;

/// Order of the matrix that workgroup memory is laid out for.
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
/// (I + A)^-1 of the first right side, in the basis of the tridiagonal form.
var<workgroup> meanWeights: array<f32, order>;
/// The four vectors to which functions of A are applied, and what comes out.
var<workgroup> vectors: array<vec4f, order>;
var<workgroup> results: array<vec4f, order>;
var<workgroup> partial: array<vec4f, LANES>;
/// By pole, twice: one step of back substitution is summed while the next is made.
var<workgroup> contributions: array<array<vec4f, LANES>, 2>;
var<workgroup> chosenMask: array<atomic<u32>, 2>;
var<workgroup> chosenCount: u32;
var<workgroup> chosenSlot: array<u32, LANES>;
var<workgroup> chosenRoot: array<f32, LANES>;

var<private> pivot: array<f32, LARGEST_ORDER>;
var<private> forward: array<vec4f, LARGEST_ORDER>;

fn packed(i: u32, j: u32) -> u32 {
  return i * (i + 1u) / 2u + j;
}

fn symmetric(i: u32, j: u32) -> f32 {
  return matrix[packed(max(i, j), min(i, j))];
}

/// The sum of `value` over the lanes, pairwise. Must be reached by all of them.
fn sumOfLanes(value: vec4f, lane: u32) -> vec4f {
  partial[lane] = value;
  workgroupBarrier();
  for (var stride = LANES / 2u; stride > 0u; stride >>= 1u) {
    if (lane < stride) {
      partial[lane] += partial[lane + stride];
    }
    workgroupBarrier();
  }
  let total = partial[0];
  workgroupBarrier();
  return total;
}

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

/// matrix <- matrix / (1 + trace); returns the factor. n as in tridiagonalise.
fn scaleByTrace(n: u32, lane: u32) -> f32 {
  var trace = 0.0;
  for (var i = lane; i < n; i += LANES) {
    trace += matrix[packed(i, i)];
  }
  let scale = 1.0 / (1.0 + sumOfLanes(vec4f(trace), lane).x);
  for (var e = lane; e < packed(n, 0u); e += LANES) {
    matrix[e] *= scale;
  }
  workgroupBarrier();
  return scale;
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
      for (var j = head; j < n; j++) {
        sum = fma(symmetric(i, j), matrix[packed(j, s)], sum);
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

/// vectors <- Q^T vectors. A lane keeps to its own elements, so that only the sums need barriers.
fn toTridiagonalBasis(n: u32, lane: u32) {
  for (var s = 0u; s + 2u < n; s++) {
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

/// results <- Q results.
fn fromTridiagonalBasis(n: u32, lane: u32) {
  for (var left = n; left > 2u; left--) {
    let s = left - 3u;
    var sum = vec4f();
    for (var i = lane; i < n; i += LANES) {
      if (i > s) {
        sum += matrix[packed(i, s)] * results[i];
      }
    }
    let along = beta[s] * sumOfLanes(sum, lane);
    for (var i = lane; i < n; i += LANES) {
      if (i > s) {
        results[i] -= matrix[packed(i, s)] * along;
      }
    }
  }
  workgroupBarrier();
}

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
    contributions[i & 1u][lane] = weight * next;
    workgroupBarrier();
    if (lane == 0u) {
      var sum = vec4f();
      for (var m = 0u; m <= parameters.poleStride; m++) {
        sum += contributions[i & 1u][m];
      }
      results[i] = sum;
    }
  }
  workgroupBarrier();
}

/// results <- f(A) vectors by the poles for 1/scale, whose weights are component `kind` (1: (I + A)^-1/2, 2: f of the head
/// comment of dual-lane.wgsl). In the first block, x is (I + A)^-1 instead and is kept in meanWeights.
fn applyFunction(n: u32, scale: f32, kind: u32, first: bool, lane: u32) {
  let begin = polesFor(1.0 / scale);
  let count = u32(poles[begin].w);
  var shift = scale;
  var weight = vec4f();
  if (lane < count) {
    let pole = poles[begin + lane];
    shift = scale * pole.x;
    weight = vec4f(select(scale * pole[kind], 0.0, first), vec3f(scale * pole[kind]));
  } else if (lane == count && first) {
    weight = vec4f(scale, 0.0, 0.0, 0.0);
  }
  toTridiagonalBasis(n, lane);
  sumPoles(n, shift, weight, lane);
  if (first) {
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

/// Where member 0 of the four right sides of a block is in the ensemble. The x of the first block is no variable.
fn blockBases(block: u32, cell: u32) -> vec4u {
  let variable = max(vec4u(4u * block) + vec4u(0u, 1u, 2u, 3u), vec4u(1u)) - 1u;
  return min(variable, vec4u(parameters.variables - 1u)) * (parameters.nx * parameters.ny) + cell;
}

fn blockMember(bases: vec4u, member: u32) -> vec4f {
  let at = bases + member * parameters.variables * parameters.nx * parameters.ny;
  return vec4f(ensemble[at.x], ensemble[at.y], ensemble[at.z], ensemble[at.w]);
}

/// Writes one member of a block's variables.
fn writeMember(block: u32, bases: vec4u, member: u32, values: vec4f) {
  for (var c = 0u; c < 4u; c++) {
    let side = 4u * block + c;
    if (side > 0u && side <= parameters.variables) {
      analysis[bases[c] + member * parameters.variables * parameters.nx * parameters.ny] = values[c];
    }
  }
}
