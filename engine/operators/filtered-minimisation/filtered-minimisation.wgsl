// Conjugate gradients for (shift·I + Fᵀ Gᵀ G F) v = b by one workgroup, from v = 0 to the end.
// Bindings: 0 parameters, 1 bands: shapes [4][6] and weights of x, y, and the adjoints of y and x; 2 indptr, 3 indices, 4 data,
// 5 columnStart, 6 entryRow, 7 entryPosition of G, 8 rightHandSide (b), 9 solution (v), 10 work, 11 history, 12 progress.
// Workgroup: one, of 256. Of v, p and r element i belongs to invocation i modulo 256, which keeps it; a barrier follows what others
// read.

// == in-workgroup-memory ==
// Two planes that the four bands are applied between, where a workgroup has room for them.

override ROOM: u32;

var<workgroup> planes: array<f32, ROOM>;

fn cell(place: u32) -> f32 {
  return planes[place];
}

fn setCell(place: u32, value: f32) {
  planes[place] = value;
}

fn planesBarrier() {
  workgroupBarrier();
}

// == in-storage ==
// The same two planes behind what else is in `work`.

override ROOM: u32;

fn cell(place: u32) -> f32 {
  return work[arrayLength(&work) - ROOM + place];
}

fn setCell(place: u32, value: f32) {
  work[arrayLength(&work) - ROOM + place] = value;
}

fn planesBarrier() {
  storageBarrier();
}

// == minimisation ==

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> bands: array<f32>;
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
/// Zeros before and after every row of weights: an invocation reads those of four points at a time.
const PADDING = 3;

var<workgroup> status: u32;

struct Band {
  first: u32,
  lower: i32,
  width: i32,
  left: i32,
  right: i32,
  periodic: bool,
}

fn bandOf(index: u32) -> Band {
  let at = 6u * index;
  return Band(
    u32(bands[at]),
    i32(bands[at + 1u]),
    i32(bands[at + 2u]),
    i32(bands[at + 3u]),
    i32(bands[at + 4u]),
    bands[at + 5u] == 1.0,
  );
}

/// Where the row of point i begins among the weights, before its padding.
fn rowOf(band: Band, i: i32, points: i32) -> u32 {
  var row = band.left;
  if (i < band.left) {
    row = i;
  } else if (i >= points - band.right) {
    row = band.left + 1 + i - (points - band.right);
  }
  return band.first + u32(row * (band.width + 2 * PADDING));
}

/// Where element (x, y) is in a plane; y counts the rows of all planes of v. Rows are an odd number of elements apart, so that
/// neighbours in a column are in different banks.
fn placeOf(at: vec2u) -> u32 {
  return at.y * parameters.pitch + at.x;
}

// The elements of an invocation: whether there is one, where it is in a plane, its parts of v, p and r, and its entries of G.
// each {
var<private> isThere$: bool;
var<private> place$: u32;
var<private> v$: f32;
var<private> p$: f32;
var<private> r$: f32;
var<private> entries$: vec2u;
// }

struct Lines {
  points: u32,
  /// Places from a point to the next.
  stride: u32,
  /// Lines that begin at neighbouring places, and places from such a group to the next.
  neighbours: u32,
  group: u32,
  /// Places from a line to its neighbour.
  apart: u32,
}

fn rowsOfPlanes() -> Lines {
  return Lines(parameters.nx, 1u, parameters.rowCount, 0u, parameters.pitch);
}

fn columnsOfPlanes() -> Lines {
  return Lines(parameters.ny, parameters.pitch, parameters.nx, parameters.ny * parameters.pitch, 1u);
}

fn startOf(line: u32, lines: Lines) -> u32 {
  return (line / lines.neighbours) * lines.group + (line % lines.neighbours) * lines.apart;
}

/// Stores a point of four lines, of those that are there.
fn setFour(starts: vec4u, offset: u32, values: vec4f, there: vec4<bool>) {
  if (there.x) {
    setCell(starts.x + offset, values.x);
  }
  if (there.y) {
    setCell(starts.y + offset, values.y);
  }
  if (there.z) {
    setCell(starts.z + offset, values.z);
  }
  if (there.w) {
    setCell(starts.w + offset, values.w);
  }
}

/// Multiplies lines by a band, from one plane to another. An invocation has four points of four lines: each number that it reads
/// serves four times. Neighbours have the same points of neighbouring lines.
fn alongLines(index: u32, lines: Lines, source: u32, destination: u32, lane: u32) {
  let band = bandOf(index);
  let points = i32(lines.points);
  let count = parameters.length / lines.points;
  let lineTiles = (count + 3u) / 4u;
  let tiles = lineTiles * ((lines.points + 3u) / 4u);
  for (var tile = lane; tile < tiles; tile += LANES) {
    let i = 4 * i32(tile / lineTiles);
    let line = tile % lineTiles + lineTiles * vec4u(0u, 1u, 2u, 3u);
    let there = line < vec4u(count);
    // Beyond the last line or point, the last one again: nothing is written there.
    let starts = vec4u(
      startOf(line.x, lines),
      startOf(min(line.y, count - 1u), lines),
      startOf(min(line.z, count - 1u), lines),
      startOf(min(line.w, count - 1u), lines),
    );
    let rows = vec4u(
      rowOf(band, i, points),
      rowOf(band, min(i + 1, points - 1), points),
      rowOf(band, min(i + 2, points - 1), points),
      rowOf(band, min(i + 3, points - 1), points),
    ) + u32(PADDING) - vec4u(0u, 1u, 2u, 3u);
    let before = i - band.lower;
    var q = 0;
    var end = band.width + PADDING;
    var j = before;
    if (band.periodic) {
      // i − lower may be several turns outside.
      j = before % points;
      j = select(j, j + points, j < 0);
    } else {
      q = max(0, -before);
      end = min(end, points - before);
      j = before + q;
    }
    var sum0 = vec4f();
    var sum1 = vec4f();
    var sum2 = vec4f();
    var sum3 = vec4f();
    for (; q < end; q++) {
      let at = starts + source + u32(j) * lines.stride;
      let values = vec4f(cell(at.x), cell(at.y), cell(at.z), cell(at.w));
      let weight = rows + u32(q);
      sum0 += bands[weight.x] * values;
      sum1 += bands[weight.y] * values;
      sum2 += bands[weight.z] * values;
      sum3 += bands[weight.w] * values;
      j = select(j + 1, 0, band.periodic && j + 1 == points);
    }
    let to = starts + destination;
    let first = u32(i) * lines.stride;
    setFour(to, first, sum0, there);
    setFour(to, first + lines.stride, sum1, there & vec4<bool>(i + 1 < points));
    setFour(to, first + 2u * lines.stride, sum2, there & vec4<bool>(i + 2 < points));
    setFour(to, first + 3u * lines.stride, sum3, there & vec4<bool>(i + 3 < points));
  }
  planesBarrier();
}

/// Σ over the entries of a column of Gᵀ.
fn adjointAt(entries: vec2u, observed: u32) -> f32 {
  var sum = 0.0;
  for (var entry = entries.x; entry < entries.y; entry++) {
    sum += data[entryPosition[entry]] * work[observed + entryRow[entry]];
  }
  return sum;
}

/// Replaces the direction in the plane at 0 by Fᵀ Gᵀ G F times it, in the plane at `other`.
fn applyHessian(other: u32, observed: u32, lane: u32) {
  alongLines(0u, rowsOfPlanes(), 0u, other, lane);
  alongLines(1u, columnsOfPlanes(), other, 0u, lane);
  for (var row = lane; row < parameters.rows; row += LANES) {
    var sum = 0.0;
    for (var entry = indptr[row]; entry < indptr[row + 1u]; entry++) {
      let column = indices[entry];
      // The planes beyond v's see nothing.
      if (column < parameters.length) {
        sum += data[entry] * cell(placeOf(vec2u(column % parameters.nx, column / parameters.nx)));
      }
    }
    work[observed + row] = sum;
  }
  storageBarrier();
  // each {
  if (isThere$) {
    setCell(other + place$, adjointAt(entries$, observed));
  }
  // }
  planesBarrier();
  alongLines(2u, columnsOfPlanes(), other, 0u, lane);
  alongLines(3u, rowsOfPlanes(), 0u, other, lane);
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
  let observed = 0u;
  let other = parameters.rowCount * parameters.pitch;

  var squared = 0.0;
  // each {
  let i$ = lane + $u * LANES;
  isThere$ = i$ < parameters.length;
  if (isThere$) {
    place$ = placeOf(vec2u(i$ % parameters.nx, i$ / parameters.nx));
    entries$ = vec2u(columnStart[i$], columnStart[i$ + 1u]);
    let b = rightHandSide[i$];
    p$ = b;
    r$ = b;
    setCell(place$, b);
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
    applyHessian(other, observed, lane);
    var curvature = 0.0;
    // each {
    if (isThere$) {
      curvature += p$ * (cell(other + place$) + parameters.shift * p$);
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
        r$ -= alpha * (cell(other + place$) + parameters.shift * p$);
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
        setCell(place$, p$);
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
