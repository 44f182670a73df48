// Conjugate gradients for (shift·I + Fᵀ Gᵀ G F) v = b by one workgroup, from v = 0 to the end.
// Bindings: 0 parameters, 1 bands: their shapes and weights (`Band`), of x, y, and the adjoints of y and x; 2 indptr, 3 indices, 4 data,
// 5 columnStart, 6 entryRow, 7 entryPosition of G, 8 rightHandSide (b), 9 solution (v), 10 work, 11 history, 12 progress.
// Workgroup: one, of 256. Of v, p and r element i belongs to invocation i modulo 256, which keeps it; a barrier follows what others
// read.
//
// The bands are applied between two planes: in `across` four rows share a vector, [plane][x][y / 4], as the bands along x read them;
// in `along` four columns do, [plane][y][x / 4], as those along y read them. What lies beyond the grid in a vector is 0.

// == in-workgroup-memory ==
// The two planes, where a workgroup has room for them.

override ROOM: u32;

var<workgroup> planes: array<vec4f, ROOM>;

fn quad(place: u32) -> vec4f {
  return planes[place];
}

fn setQuad(place: u32, values: vec4f) {
  planes[place] = values;
}

fn cell(place: u32) -> f32 {
  return planes[place / 4u][place % 4u];
}

fn setCell(place: u32, value: f32) {
  planes[place / 4u][place % 4u] = value;
}

fn planesBarrier() {
  workgroupBarrier();
}

// == in-storage ==
// The same two planes at the beginning of `work`.

override ROOM: u32;

fn quad(place: u32) -> vec4f {
  return vec4f(work[4u * place], work[4u * place + 1u], work[4u * place + 2u], work[4u * place + 3u]);
}

fn setQuad(place: u32, values: vec4f) {
  work[4u * place] = values.x;
  work[4u * place + 1u] = values.y;
  work[4u * place + 2u] = values.z;
  work[4u * place + 3u] = values.w;
}

fn cell(place: u32) -> f32 {
  return work[place];
}

fn setCell(place: u32, value: f32) {
  work[place] = value;
}

fn planesBarrier() {
  storageBarrier();
}

// == minimisation ==

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bands: array<vec4f>;
@group(0) @binding(2) var<storage, read> indptr: array<u32>;
@group(0) @binding(3) var<storage, read> indices: array<u32>;
@group(0) @binding(4) var<storage, read> data: array<f32>;
@group(0) @binding(5) var<storage, read> columnStart: array<u32>;
@group(0) @binding(6) var<storage, read> entryRow: array<u32>;
@group(0) @binding(7) var<storage, read> entryPosition: array<u32>;
@group(0) @binding(8) var<storage, read> rightHandSide: array<f32>;
@group(0) @binding(9) var<storage, read_write> solution: array<f32>;
@group(0) @binding(10) var<storage, read_write> work: array<f32>;
@group(0) @binding(11) var<storage, read_write> history: array<f32>;
@group(0) @binding(12) var<storage, read_write> progress: array<u32>;

const LANES = 256u;

var<workgroup> status: u32;

// The elements of an invocation: whether there is one, where it is in both planes, its parts of v, p and r, and its entries of G.
// each {
var<private> isThere$: bool;
var<private> across$: u32;
var<private> along$: u32;
var<private> v$: f32;
var<private> p$: f32;
var<private> r$: f32;
var<private> entries$: vec2u;
// }

/// A band for four points at a time: of each such quad, `taps` vectors with the weights of a column for each of the four. The quads in the
/// middle share theirs.
struct Band {
  first: u32,
  lower: i32,
  taps: i32,
  /// The first quad of those in the middle, and the one after the last.
  left: u32,
  right: u32,
  periodic: bool,
}

fn bandOf(index: u32) -> Band {
  let a = bands[2u * index];
  let b = bands[2u * index + 1u];
  return Band(u32(a.x), i32(a.y), i32(a.z), u32(a.w), u32(b.x), b.y == 1.0);
}

/// Where the weights of a quad of points begin. @param point counts the quads
fn weightsOf(band: Band, point: u32) -> u32 {
  let row = min(point, band.left) + select(0u, 1u + point - band.right, point >= band.right);
  return band.first + row * u32(band.taps);
}

/// A plane, as its bands read it.
struct Plane {
  start: u32,
  /// Vectors from a point to the next, of all planes.
  pitch: u32,
  points: u32,
}

fn acrossRows() -> Plane {
  return Plane(0u, parameters.acrossPitch, parameters.nx);
}

fn alongRows() -> Plane {
  return Plane(parameters.alongStart, parameters.alongPitch, parameters.ny);
}

fn following(j: i32, points: i32, periodic: bool) -> i32 {
  return select(j + 1, 0, periodic && j + 1 == points);
}

/// One column after the other.
fn plus(sum: vec4f, weight: mat4x4f, values: vec4f) -> vec4f {
  return (((sum + weight[0] * values.x) + weight[1] * values.y) + weight[2] * values.z) + weight[3] * values.w;
}

/// Multiplies lines by a band. An invocation has four points of four lines: what it reads serves four times. Neighbours have the same
/// points of neighbouring lines.
fn multiply(index: u32, source: Plane, destination: Plane, lane: u32) {
  let band = bandOf(index);
  let points = i32(source.points);
  let lines = destination.points;
  let lineQuads = (lines + 3u) / 4u;
  let pointQuads = (source.points + 3u) / 4u;
  for (var tile = lane; tile < lineQuads * pointQuads * parameters.planes; tile += LANES) {
    let line = tile % lineQuads;
    let point = tile / lineQuads % pointQuads;
    let plane = tile / (lineQuads * pointQuads);
    let weights = weightsOf(band, point);
    let before = 4 * i32(point) - band.lower;
    var q = 0;
    var end = band.taps;
    var j = before;
    if (band.periodic) {
      // It may be several turns outside.
      j = before % points;
      j = select(j, j + points, j < 0);
    } else {
      q = max(0, -before);
      end = min(end, points - before);
      j = before + q;
    }
    let start = source.start + plane * source.points * source.pitch + line;
    var sum0 = vec4f();
    var sum1 = vec4f();
    var sum2 = vec4f();
    var sum3 = vec4f();
    // Four columns are asked for at once: memory answers later than what comes of one is added.
    for (; q + 4 <= end; q += 4) {
      let j1 = following(j, points, band.periodic);
      let j2 = following(j1, points, band.periodic);
      let j3 = following(j2, points, band.periodic);
      let at = weights + u32(q);
      let weight = mat4x4f(bands[at], bands[at + 1u], bands[at + 2u], bands[at + 3u]);
      let a = quad(start + u32(j) * source.pitch);
      let b = quad(start + u32(j1) * source.pitch);
      let c = quad(start + u32(j2) * source.pitch);
      let d = quad(start + u32(j3) * source.pitch);
      sum0 = plus(sum0, weight, vec4f(a.x, b.x, c.x, d.x));
      sum1 = plus(sum1, weight, vec4f(a.y, b.y, c.y, d.y));
      sum2 = plus(sum2, weight, vec4f(a.z, b.z, c.z, d.z));
      sum3 = plus(sum3, weight, vec4f(a.w, b.w, c.w, d.w));
      j = following(j3, points, band.periodic);
    }
    for (; q < end; q++) {
      let values = quad(start + u32(j) * source.pitch);
      let weight = bands[weights + u32(q)];
      sum0 += weight * values.x;
      sum1 += weight * values.y;
      sum2 += weight * values.z;
      sum3 += weight * values.w;
      j = following(j, points, band.periodic);
    }
    let to = destination.start + (plane * lines + 4u * line) * destination.pitch + point;
    let left = lines - 4u * line;
    setQuad(to, sum0);
    if (left > 1u) {
      setQuad(to + destination.pitch, sum1);
    }
    if (left > 2u) {
      setQuad(to + 2u * destination.pitch, sum2);
    }
    if (left > 3u) {
      setQuad(to + 3u * destination.pitch, sum3);
    }
  }
  planesBarrier();
}

/// Where a column of G is in a plane across rows, and along them.
fn placesOf(column: u32) -> vec2u {
  let x = column % parameters.nx;
  let row = column / parameters.nx;
  let plane = row / parameters.ny;
  return vec2u(
    4u * (plane * parameters.nx + x) * parameters.acrossPitch + row % parameters.ny,
    4u * (parameters.alongStart + row * parameters.alongPitch) + x,
  );
}

/// Σ over the entries of a column of Gᵀ.
fn adjointAt(entries: vec2u) -> f32 {
  var sum = 0.0;
  for (var entry = entries.x; entry < entries.y; entry++) {
    sum += data[entryPosition[entry]] * work[parameters.observed + entryRow[entry]];
  }
  return sum;
}

/// From the direction across rows to Fᵀ Gᵀ G F times it, along them.
fn applyHessian(lane: u32) {
  multiply(0u, acrossRows(), alongRows(), lane);
  multiply(1u, alongRows(), acrossRows(), lane);
  for (var row = lane; row < parameters.rows; row += LANES) {
    var sum = 0.0;
    for (var entry = indptr[row]; entry < indptr[row + 1u]; entry++) {
      let column = indices[entry];
      // The planes beyond v's see nothing.
      if (column < parameters.length) {
        sum += data[entry] * cell(placesOf(column).x);
      }
    }
    work[parameters.observed + row] = sum;
  }
  storageBarrier();
  // each {
  if (isThere$) {
    setCell(along$, adjointAt(entries$));
  }
  // }
  planesBarrier();
  multiply(2u, alongRows(), acrossRows(), lane);
  multiply(3u, acrossRows(), alongRows(), lane);
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
  var squared = 0.0;
  // Beyond the grid the planes stay 0.
  for (var place = lane; place < ROOM; place += LANES) {
    setQuad(place, vec4f());
  }
  planesBarrier();
  // each {
  let i$ = lane + $u * LANES;
  isThere$ = i$ < parameters.length;
  if (isThere$) {
    let places = placesOf(i$);
    across$ = places.x;
    along$ = places.y;
    entries$ = vec2u(columnStart[i$], columnStart[i$ + 1u]);
    let b = rightHandSide[i$];
    p$ = b;
    r$ = b;
    setCell(across$, b);
    squared += b * b;
  }
  // }
  let first = workgroupSums(vec4f(squared), lane).x;
  var before = first;
  var firstAlpha = 0.0;
  if (lane == 0u) {
    history[RESIDUAL] = before;
    history[HALF_NORM] = 0.0;
    progress[COMPLETED] = 0u;
    progress[STATUS] = RUNNING;
    progress[CURRENT] = 0u;
    status = RUNNING;
  }
  for (var k = 0u; k < parameters.maxIterations; k++) {
    planesBarrier();
    if (workgroupUniformLoad(&status) != RUNNING) {
      break;
    }
    applyHessian(lane);
    var curvature = 0.0;
    // each {
    if (isThere$) {
      curvature += p$ * (cell(along$) + parameters.shift * p$);
    }
    // }
    let curvatureTotal = workgroupSums(vec4f(curvature), lane).x;
    var alpha = 0.0;
    if (curvatureTotal > 0.0 && before > 0.0) {
      alpha = before / curvatureTotal;
    }
    var after = 0.0;
    var solutionSquared = 0.0;
    if (alpha > 0.0) {
      // each {
      if (isThere$) {
        v$ += alpha * p$;
        r$ -= alpha * (cell(along$) + parameters.shift * p$);
        after += r$ * r$;
        solutionSquared += v$ * v$;
      }
      // }
    }
    let total = workgroupSums(vec4f(after, solutionSquared, 0.0, 0.0), lane);
    let beta = total.x / before;
    if (alpha > 0.0) {
      // each {
      if (isThere$) {
        p$ = r$ + beta * p$;
        setCell(across$, p$);
      }
      // }
    }
    if (k == 0u) {
      firstAlpha = alpha;
    }
    if (lane == 0u) {
      status = select(STAGNATED, CONVERGED, before == 0.0);
      if (alpha > 0.0) {
        status = statusOf(alpha, before, total.x, firstAlpha, first);
        history[STRIDE * k + ALPHA] = alpha;
        history[STRIDE * k + BETA] = beta;
        history[STRIDE * (k + 1u) + RESIDUAL] = total.x;
        history[STRIDE * (k + 1u) + HALF_NORM] = 0.5 * total.y;
        progress[COMPLETED] = k + 1u;
      }
      progress[STATUS] = status;
    }
    before = total.x;
  }
  // each {
  if (isThere$) {
    solution[i$] = v$;
  }
  // }
}
