// LETKF analysis in the space of the local observations, one grid point an invocation [hunt2007; hht2008].
//
//   G = S S^T (l x l),  q = X S^T,  analysis = mean + sqrt(rho) (X - q f(G) S) + sqrt(rho/(k-1)) q (I + G)^-1 d,
//   f(t) = (1 - (1 + t)^-1/2)/t = sum over poles of weight/(t + shift).
//
// G is brought to tridiagonal form once (Householder); each pole is then an LDL^T of a tridiagonal matrix, whose pivots are
// never below the pole's shift (G is positive semidefinite): the clamp holds them there against rounding. G is scaled by its
// trace, so that no accuracy of the observations overflows. The poles are those for 1 + trace G, a bound on the condition.
//
// Bindings: see local.wgsl. Workgroup: 64 grid points along x, so that the members' fields are read and written side by
// side. At most CAPACITY local observations (CAPACITY and PACKED, the elements of a
// triangle of that order, are made in webgpu.ts); those met beyond localCapacity are omitted.

/// Lower triangle of G by rows; after tridiagonalise, column s below the diagonal holds reflection s.
var<private> g: array<f32, PACKED>;
var<private> diagonal: array<f32, CAPACITY>;
/// Between i and i + 1.
var<private> offDiagonal: array<f32, CAPACITY>;
/// Reflection s is I - beta[s] v v^T.
var<private> beta: array<f32, CAPACITY>;
var<private> local: array<u32, CAPACITY>;
var<private> localRoot: array<f32, CAPACITY>;
/// (I + G)^-1 d in the basis of the tridiagonal form.
var<private> meanWeights: array<f32, CAPACITY>;
/// Four right sides, and what a function of G makes of them.
var<private> vectors: array<vec4f, CAPACITY>;
var<private> results: array<vec4f, CAPACITY>;
var<private> forward: array<vec4f, CAPACITY>;
var<private> work: array<f32, CAPACITY>;

fn packed(i: u32, j: u32) -> u32 {
  return i * (i + 1u) / 2u + j;
}

/// Lists the observations of positive weight around `place`. Returns how many.
fn findLocal(place: vec2f) -> u32 {
  let capacity = min(parameters.localCapacity, CAPACITY);
  let columns = columnsNear(place);
  let rows = rowsNear(place);
  var count = 0u;
  for (var r = 0u; r < rows.y; r++) {
    let row = (rows.x + r) % parameters.binsY;
    for (var part = 0u; part < 2u; part++) {
      let range = slotsOf(row, columns, part);
      for (var slot = range.x; slot < range.y; slot++) {
        let root = rootWeight(slots[slot], place);
        if (root > 0.0 && count < capacity) {
          local[count] = slot;
          localRoot[count] = root;
          count += 1u;
        }
      }
    }
  }
  return count;
}

/// g <- G, scaled by its trace.
fn gramMatrix(n: u32) -> Scaling {
  let quads = parameters.quads;
  var trace = 0.0;
  for (var i = 0u; i < n; i++) {
    for (var j = 0u; j <= i; j++) {
      var four = vec4f();
      for (var quad = 0u; quad < quads; quad++) {
        four = fma(anomalies[local[i] * quads + quad], anomalies[local[j] * quads + quad], four);
      }
      g[packed(i, j)] = localRoot[i] * localRoot[j] * ((four.x + four.y) + (four.z + four.w));
    }
    trace += g[packed(i, i)];
  }
  let scaling = scalingOf(trace);
  for (var e = 0u; e < packed(n, 0u); e++) {
    g[e] *= scaling.factor;
  }
  return scaling;
}

/// Reduces g to (diagonal, offDiagonal), keeping the reflections.
fn tridiagonalise(n: u32) {
  for (var s = 0u; s + 2u < n; s++) {
    let head = s + 1u;
    let alpha = g[packed(head, s)];
    var tail = 0.0;
    for (var i = s + 2u; i < n; i++) {
      tail = fma(g[packed(i, s)], g[packed(i, s)], tail);
    }
    let square = fma(alpha, alpha, tail);
    let norm = sqrt(square);
    // Below 1e-30 nothing is left to reflect, next to a matrix scaled to trace 1.
    let reflects = tail > 1e-30;
    let edge = select(alpha, select(norm, -norm, alpha >= 0.0), reflects);
    let factor = select(0.0, 1.0 / (square + abs(alpha) * norm), reflects);
    offDiagonal[s] = edge;
    beta[s] = factor;
    g[packed(head, s)] = alpha - edge;
    var inner = 0.0;
    for (var i = head; i < n; i++) {
      var sum = 0.0;
      for (var j = head; j <= i; j++) {
        sum = fma(g[packed(i, j)], g[packed(j, s)], sum);
      }
      for (var j = i + 1u; j < n; j++) {
        sum = fma(g[packed(j, i)], g[packed(j, s)], sum);
      }
      work[i] = factor * sum;
      inner = fma(work[i], g[packed(i, s)], inner);
    }
    let half = 0.5 * factor * inner;
    for (var i = head; i < n; i++) {
      work[i] = fma(-half, g[packed(i, s)], work[i]);
    }
    for (var i = head; i < n; i++) {
      for (var j = head; j <= i; j++) {
        g[packed(i, j)] -= fma(g[packed(i, s)], work[j], work[i] * g[packed(j, s)]);
      }
    }
  }
  for (var i = 0u; i < n; i++) {
    diagonal[i] = g[packed(i, i)];
  }
  if (n > 1u) {
    offDiagonal[n - 2u] = g[packed(n - 1u, n - 2u)];
  }
}

/// vectors <- reflection s of vectors.
fn reflect(n: u32, s: u32) {
  var sum = vec4f();
  for (var i = s + 1u; i < n; i++) {
    sum += g[packed(i, s)] * vectors[i];
  }
  sum *= beta[s];
  for (var i = s + 1u; i < n; i++) {
    vectors[i] -= g[packed(i, s)] * sum;
  }
}

/// results += weight (T + shift)^-1 vectors.
fn addPole(n: u32, shift: f32, weight: vec4f) {
  var pivot = max(diagonal[0] + shift, shift);
  var side = vectors[0];
  work[0] = 1.0 / pivot;
  forward[0] = side;
  for (var i = 1u; i < n; i++) {
    let edge = offDiagonal[i - 1u];
    let ratio = edge / pivot;
    pivot = max(fma(-ratio, edge, diagonal[i] + shift), shift);
    side = vectors[i] - ratio * side;
    work[i] = 1.0 / pivot;
    forward[i] = side;
  }
  var next = vec4f();
  for (var back = n; back > 0u; back--) {
    let i = back - 1u;
    next = (forward[i] - offDiagonal[i] * next) * work[i];
    results[i] += weight * next;
  }
}

/// vectors <- right sides of a block of variables, about `origin` (the rows of S sum to zero, so that q needs no mean).
/// Returns the means of the variables about their origin.
fn rightSides(n: u32, block: u32, bases: vec4u, origin: vec4f) -> vec4f {
  let quads = parameters.quads;
  for (var a = 0u; a < n; a++) {
    vectors[a] = vec4f();
    results[a] = vec4f();
  }
  var sum = vec4f();
  for (var quad = 0u; quad < quads; quad++) {
    let x = fourMembers(bases, quad, origin);
    sum += (x[0] + x[1]) + (x[2] + x[3]);
    for (var a = 0u; a < n; a++) {
      vectors[a] += x * anomalies[local[a] * quads + quad];
    }
  }
  for (var a = 0u; a < n; a++) {
    let side = vec4f(select(vectors[a].x, slots[local[a]].z, block == 0u), vectors[a].yzw);
    vectors[a] = localRoot[a] * side;
  }
  return sum / f32(parameters.members);
}

/// Four members of a block of variables about their origin, one a column; zeros beyond the last member.
fn fourMembers(bases: vec4u, quad: u32, origin: vec4f) -> mat4x4f {
  var x = mat4x4f();
  for (var c = 0u; c < min(4u, parameters.members - 4u * quad); c++) {
    x[c] = blockMember(bases, 4u * quad + c) - origin;
  }
  return x;
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let cell = parameters.firstCell + linearIndex(id, groups, 64u);
  if (cell >= parameters.endCell) {
    return;
  }
  let n = findLocal(vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx)));
  let stretch = stretchAt(cell);
  let scaling = gramMatrix(n);
  tridiagonalise(n);
  let firstPole = polesFor(1.0 / scaling.unit);
  let poleCount = u32(poles[firstPole].w);

  for (var block = 0u; 4u * block <= parameters.variables; block++) {
    let bases = blockBases(block, cell);
    // About the first member, so that anomalies keep their digits.
    let origin = blockMember(bases, 0u);
    let mean = rightSides(n, block, bases, origin);
    for (var s = 0u; s + 2u < n; s++) {
      reflect(n, s);
    }
    for (var m = 0u; m < poleCount; m++) {
      let pole = poles[firstPole + m];
      addPole(n, scaling.unit * pole.x, sideWeights(block, scaling.factor * pole.z));
    }
    if (block == 0u) {
      addPole(n, scaling.unit, vec4f(scaling.factor, 0.0, 0.0, 0.0));
      for (var a = 0u; a < n; a++) {
        meanWeights[a] = results[a].x;
      }
    }
    var shift = vec4f();
    for (var a = 0u; a < n; a++) {
      shift += meanWeights[a] * vectors[a];
      vectors[a] = results[a];
    }
    for (var left = n; left > 2u; left--) {
      reflect(n, left - 3u);
    }
    for (var a = 0u; a < n; a++) {
      vectors[a] *= localRoot[a];
    }
    let centre = mean + parameters.meanScale * shift;
    for (var quad = 0u; quad < parameters.quads; quad++) {
      var x = fourMembers(bases, quad, origin);
      for (var a = 0u; a < n; a++) {
        let row = anomalies[local[a] * parameters.quads + quad];
        x[0] -= row.x * vectors[a];
        x[1] -= row.y * vectors[a];
        x[2] -= row.z * vectors[a];
        x[3] -= row.w * vectors[a];
      }
      for (var c = 0u; c < min(4u, parameters.members - 4u * quad); c++) {
        let value = origin + (centre + stretch * (x[c] - mean));
        writeMember(block, bases, 4u * quad + c, value);
      }
    }
  }
}
