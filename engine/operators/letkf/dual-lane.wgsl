// LETKF analysis in the space of the local observations, one grid point an invocation [hunt2007; hht2008].
//
//   G = S S^T (l x l),  q = X S^T,  analysis = mean + sqrt(rho) (X - q f(G) S) + sqrt(rho/(k-1)) q (I + G)^-1 d,
//   f(t) = (1 - (1 + t)^-1/2)/t = sum over poles of weight/(t + shift).
//
// G is brought to tridiagonal form once (Householder); each pole is then an LDL^T of a tridiagonal matrix, whose pivots are
// never below the pole's shift (G is positive semidefinite): the clamp holds them there against rounding. G is scaled by its
// trace, so that no accuracy of the observations overflows. The poles are those for 1 + trace G, a bound on the condition.
//
// Bindings: see locality.wgsl. Workgroup: 64 grid points along x, so that the members' fields are read and written side by
// side. At most CAPACITY local observations; those met beyond localCapacity are left out.

const CAPACITY = 16u;
const PACKED = 136u;

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
var<private> vector: array<f32, CAPACITY>;
var<private> result: array<f32, CAPACITY>;
var<private> pivot: array<f32, CAPACITY>;
var<private> work: array<f32, CAPACITY>;

fn packed(i: u32, j: u32) -> u32 {
  return i * (i + 1u) / 2u + j;
}

fn symmetric(i: u32, j: u32) -> f32 {
  return g[packed(max(i, j), min(i, j))];
}

/// Lists the observations of positive weight around `place`. Returns how many.
fn findLocal(place: vec2f) -> u32 {
  let capacity = min(parameters.localCapacity, CAPACITY);
  let columns = binsWithinReach(place.x, parameters.nx, parameters.binsX, parameters.periodicX != 0u);
  let rows = binsWithinReach(place.y, parameters.ny, parameters.binsY, parameters.periodicY != 0u);
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

/// g <- G, scaled by 1/(1 + trace G), which is returned.
fn gramMatrix(n: u32) -> f32 {
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
  let scale = 1.0 / (1.0 + trace);
  for (var e = 0u; e < packed(n, 0u); e++) {
    g[e] *= scale;
  }
  return scale;
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
      for (var j = head; j < n; j++) {
        sum = fma(symmetric(i, j), g[packed(j, s)], sum);
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

/// vector <- reflection s of vector.
fn reflect(n: u32, s: u32) {
  var sum = 0.0;
  for (var i = s + 1u; i < n; i++) {
    sum = fma(g[packed(i, s)], vector[i], sum);
  }
  sum *= beta[s];
  for (var i = s + 1u; i < n; i++) {
    vector[i] = fma(-sum, g[packed(i, s)], vector[i]);
  }
}

/// result += weight (T + shift)^-1 vector.
fn addPole(n: u32, shift: f32, weight: f32) {
  pivot[0] = max(diagonal[0] + shift, shift);
  work[0] = vector[0];
  for (var i = 1u; i < n; i++) {
    let ratio = offDiagonal[i - 1u] / pivot[i - 1u];
    pivot[i] = max(fma(-ratio, offDiagonal[i - 1u], diagonal[i] + shift), shift);
    work[i] = fma(-ratio, work[i - 1u], vector[i]);
  }
  var next = 0.0;
  for (var back = n; back > 0u; back--) {
    let i = back - 1u;
    next = fma(-offDiagonal[i], next, work[i]) / pivot[i];
    result[i] = fma(weight, next, result[i]);
  }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let cell = linearIndex(id, groups, 64u);
  let cells = parameters.nx * parameters.ny;
  if (cell >= cells) {
    return;
  }
  let n = findLocal(vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx)));
  let scale = gramMatrix(n);
  tridiagonalise(n);
  let firstPole = polesFor(1.0 / scale);
  let poleCount = u32(poles[firstPole].w);

  for (var a = 0u; a < n; a++) {
    vector[a] = localRoot[a] * slots[local[a]].z;
  }
  for (var s = 0u; s + 2u < n; s++) {
    reflect(n, s);
  }
  addPole(n, scale, scale);
  meanWeights = result;

  let members = parameters.members;
  let quads = parameters.quads;
  let stride = parameters.variables * cells;
  for (var variable = 0u; variable < parameters.variables; variable++) {
    let base = variable * cells + cell;
    // About the first member, so that anomalies keep their digits. The rows of S sum to zero: q needs no mean.
    let origin = ensemble[base];
    var sums = vec4f();
    for (var a = 0u; a < n; a++) {
      vector[a] = 0.0;
      result[a] = 0.0;
    }
    for (var quad = 0u; quad < quads; quad++) {
      let x = fourMembers(base, stride, quad, origin);
      sums += x;
      for (var a = 0u; a < n; a++) {
        vector[a] += dot(x, anomalies[local[a] * quads + quad]);
      }
    }
    let mean = ((sums.x + sums.y) + (sums.z + sums.w)) / f32(members);
    for (var a = 0u; a < n; a++) {
      vector[a] *= localRoot[a];
    }
    for (var s = 0u; s + 2u < n; s++) {
      reflect(n, s);
    }
    var shift = 0.0;
    for (var a = 0u; a < n; a++) {
      shift = fma(vector[a], meanWeights[a], shift);
    }
    for (var m = 0u; m < poleCount; m++) {
      let pole = poles[firstPole + m];
      addPole(n, scale * pole.x, scale * pole.z);
    }
    vector = result;
    for (var left = n; left > 2u; left--) {
      reflect(n, left - 3u);
    }
    for (var a = 0u; a < n; a++) {
      vector[a] *= localRoot[a];
    }
    let centre = fma(parameters.meanScale, shift, mean);
    for (var quad = 0u; quad < quads; quad++) {
      var x = fourMembers(base, stride, quad, origin) - mean;
      for (var a = 0u; a < n; a++) {
        x -= vector[a] * anomalies[local[a] * quads + quad];
      }
      x = origin + (centre + parameters.rootInflation * x);
      for (var c = 0u; c < min(4u, members - 4u * quad); c++) {
        analysis[base + (4u * quad + c) * stride] = x[c];
      }
    }
  }
}

/// Four members of one value, about `origin`; zeros beyond the last member.
fn fourMembers(base: u32, stride: u32, quad: u32, origin: f32) -> vec4f {
  let first = 4u * quad;
  let last = parameters.members - 1u;
  let member = min(vec4u(first, first + 1u, first + 2u, first + 3u), vec4u(last));
  let at = base + member * stride;
  let x = vec4f(ensemble[at.x], ensemble[at.y], ensemble[at.z], ensemble[at.w]) - origin;
  return select(x, vec4f(), vec4u(first, first + 1u, first + 2u, first + 3u) > vec4u(last));
}
