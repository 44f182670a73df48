// Conjugate gradients for (shift·I + Fᵀ Gᵀ G F) v = b by one workgroup, from v = 0 to the end.
// Bindings: 0 parameters, 1 bands: shapes [4][6] and weights of x, y, and the adjoints of y and x; 2 indptr, 3 indices, 4 data,
// 5 columnStart, 6 entryRow, 7 entryPosition of G, 8 rightHandSide (b), 9 solution (v), 10 work, 11 history, 12 progress.
// Workgroup: one, of 256. Of v, p and r element i belongs to invocation i modulo 256; a barrier follows what others read.

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

/// Where line `line` begins, of lines of `points` points `stride` apart.
fn startOf(line: u32, points: u32, stride: u32) -> u32 {
  return (line / stride) * stride * points + line % stride;
}

/// Multiplies the lines of `points` points `stride` apart by a band, from one place in `work` to another. An invocation has four
/// points of four lines: each number that it reads serves four times. Neighbours have the same points of other lines.
fn alongLines(index: u32, points: i32, stride: i32, source: u32, destination: u32, lane: u32) {
  let band = bandOf(index);
  let lines = parameters.length / u32(points);
  let lineTiles = (lines + 3u) / 4u;
  let tiles = lineTiles * ((u32(points) + 3u) / 4u);
  let step = u32(stride);
  for (var tile = lane; tile < tiles; tile += LANES) {
    let i = 4 * i32(tile / lineTiles);
    let line = 4u * (tile % lineTiles);
    // Beyond the last line or point, the last one again: nothing is written there.
    let starts = vec4u(
      source + startOf(line, u32(points), step),
      source + startOf(min(line + 1u, lines - 1u), u32(points), step),
      source + startOf(min(line + 2u, lines - 1u), u32(points), step),
      source + startOf(min(line + 3u, lines - 1u), u32(points), step),
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
      let at = starts + u32(j) * step;
      let values = vec4f(work[at.x], work[at.y], work[at.z], work[at.w]);
      let weight = rows + u32(q);
      sum0 += bands[weight.x] * values;
      sum1 += bands[weight.y] * values;
      sum2 += bands[weight.z] * values;
      sum3 += bands[weight.w] * values;
      j = select(j + 1, 0, band.periodic && j + 1 == points);
    }
    let sums = array(sum0, sum1, sum2, sum3);
    for (var point = 0u; point < 4u && i + i32(point) < points; point++) {
      for (var other = 0u; other < 4u && line + other < lines; other++) {
        let to = destination + startOf(line + other, u32(points), step) + (u32(i) + point) * step;
        work[to] = sums[point][other];
      }
    }
  }
  storageBarrier();
}

/// `product` = Fᵀ Gᵀ G F `direction`.
fn applyHessian(direction: u32, product: u32, between: u32, filtered: u32, observed: u32, lane: u32) {
  let nx = i32(parameters.nx);
  let ny = i32(parameters.ny);
  alongLines(0u, nx, 1, direction, between, lane);
  alongLines(1u, ny, nx, between, filtered, lane);
  for (var row = lane; row < parameters.rows; row += LANES) {
    var sum = 0.0;
    for (var entry = indptr[row]; entry < indptr[row + 1u]; entry++) {
      sum += data[entry] * work[filtered + indices[entry]];
    }
    work[observed + row] = sum;
  }
  storageBarrier();
  for (var column = lane; column < parameters.length; column += LANES) {
    var sum = 0.0;
    for (var entry = columnStart[column]; entry < columnStart[column + 1u]; entry++) {
      sum += data[entryPosition[entry]] * work[observed + entryRow[entry]];
    }
    work[filtered + column] = sum;
  }
  storageBarrier();
  alongLines(2u, ny, nx, filtered, between, lane);
  alongLines(3u, nx, 1, between, product, lane);
}

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
  let length = parameters.length;
  let direction = 0u;
  let residual = length;
  let product = 2u * length;
  let between = 3u * length;
  let filtered = 4u * length;
  let observed = filtered + parameters.columns;

  var squared = 0.0;
  for (var i = lane; i < length; i += LANES) {
    let b = rightHandSide[i];
    solution[i] = 0.0;
    work[direction + i] = b;
    work[residual + i] = b;
    squared += b * b;
  }
  // The planes beyond v's see nothing.
  for (var i = length + lane; i < parameters.columns; i += LANES) {
    work[filtered + i] = 0.0;
  }
  var before = workgroupSum(squared, lane);
  if (lane == 0u) {
    history[RESIDUAL] = before;
    history[HALF_NORM] = 0.0;
    progress[COMPLETED] = 0u;
    progress[STATUS] = RUNNING;
    progress[CURRENT] = 0u;
    status = RUNNING;
  }
  for (var k = 0u; k < parameters.maxIterations; k++) {
    storageBarrier();
    if (workgroupUniformLoad(&status) != RUNNING) {
      break;
    }
    applyHessian(direction, product, between, filtered, observed, lane);
    var curvature = 0.0;
    for (var i = lane; i < length; i += LANES) {
      let p = work[direction + i];
      curvature += p * (work[product + i] + parameters.shift * p);
    }
    let curvatureTotal = workgroupSum(curvature, lane);
    var alpha = 0.0;
    if (curvatureTotal > 0.0 && before > 0.0) {
      alpha = before / curvatureTotal;
    }
    let moving = select(0u, length, alpha > 0.0);
    var after = 0.0;
    var solutionSquared = 0.0;
    for (var i = lane; i < moving; i += LANES) {
      let p = work[direction + i];
      let v = solution[i] + alpha * p;
      let r = work[residual + i] - alpha * (work[product + i] + parameters.shift * p);
      solution[i] = v;
      work[residual + i] = r;
      after += r * r;
      solutionSquared += v * v;
    }
    let afterTotal = workgroupSum(after, lane);
    let solutionTotal = workgroupSum(solutionSquared, lane);
    let beta = afterTotal / before;
    for (var i = lane; i < moving; i += LANES) {
      work[direction + i] = work[residual + i] + beta * work[direction + i];
    }
    if (lane == 0u) {
      if (alpha > 0.0) {
        history[STRIDE * k + ALPHA] = alpha;
      }
      record(select(0u, k + 1u, alpha > 0.0), afterTotal, solutionTotal);
      status = progress[STATUS];
    }
    before = afterTotal;
  }
}
