// Kernels of the convolution of a volume, and what they are made of.

// == volume-quads ==
// A volume read and written four numbers at a time: of rows whose length is a multiple of four.
// Bindings: 0 parameters, 1 weights (see webgpu-volume.ts), 2 input, 3 output.

alias Point = vec4f;
/// Numbers of a Point.
const POINT = 4u;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> weights: array<vec4f>;
@group(0) @binding(2) var<storage, read> source: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> result: array<vec4f>;

/// Points x … x + 3 of the row that begins at `row`; x is in the row, and both are multiples of four.
fn quadOf(row: u32, x: u32) -> vec4f {
  return source[(row + x) / 4u];
}

/// Writes points x … x + 3 of a row, if they are in it.
fn keepQuad(row: u32, x: u32, values: vec4f) {
  if (x < parameters.n3) {
    result[(row + x) / 4u] = values;
  }
}

/// Point k of four neighbouring numbers, which are one.
fn pointOf(values: vec4f, k: u32) -> Point {
  return values;
}

// == volume-singles ==
// A volume read and written number by number: of any row length.
// Bindings: 0 parameters, 1 weights (see webgpu-volume.ts), 2 input, 3 output.

alias Point = f32;
/// Numbers of a Point.
const POINT = 1u;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> weights: array<vec4f>;
@group(0) @binding(2) var<storage, read> source: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;

fn wrapOnce(at: u32) -> u32 {
  return select(at, at - parameters.n3, at >= parameters.n3);
}

/// Points x … x + 3 of the row that begins at `row`; x is in the row, and the row repeats itself.
fn quadOf(row: u32, x: u32) -> vec4f {
  return vec4f(
    source[row + x],
    source[row + wrapOnce(x + 1u)],
    source[row + wrapOnce(x + 2u)],
    source[row + wrapOnce(x + 3u)],
  );
}

/// Writes points x … x + 3 of a row, as far as it goes.
fn keepQuad(row: u32, x: u32, values: vec4f) {
  for (var k = 0u; k < 4u && x + k < parameters.n3; k++) {
    result[row + x + k] = values[k];
  }
}

/// Point k of four neighbouring numbers.
fn pointOf(values: vec4f, k: u32) -> Point {
  return values[k];
}

// == volume-sums ==
// Σ_q ω_q · point(i + q) for four neighbouring i at a time, from points and weights in groups of four. A sum is one chain of fused
// multiply-adds in the order of its taps, so that all kernels that are made of these give the same bits.
//
// Group m of the points has, of weights 4m … 4m + 3 (`high`) and 4m − 4 … 4m − 1 (`low`), for sum t the weight 4m + k − t at its
// point k. Point is a number, or four of lines side by side.

/// Four neighbouring points of a line, or four neighbouring sums.
struct Four {
  a: Point,
  b: Point,
  c: Point,
  d: Point,
}

/// The share of a group of points in sums across lines.
fn slideAcross(sums: Four, p: Four, high: vec4f, low: vec4f) -> Four {
  var s = sums;
  s.a = fma(p.d, Point(high.w), fma(p.c, Point(high.z), fma(p.b, Point(high.y), fma(p.a, Point(high.x), s.a))));
  s.b = fma(p.d, Point(high.z), fma(p.c, Point(high.y), fma(p.b, Point(high.x), fma(p.a, Point(low.w), s.b))));
  s.c = fma(p.d, Point(high.y), fma(p.c, Point(high.x), fma(p.b, Point(low.w), fma(p.a, Point(low.z), s.c))));
  s.d = fma(p.d, Point(high.x), fma(p.c, Point(low.w), fma(p.b, Point(low.z), fma(p.a, Point(low.y), s.d))));
  return s;
}

/// The same for the first group of sixteen taps, which has none before it.
fn beginAcross(p: Four, high: vec4f) -> Four {
  let zero = Point(0.0);
  return Four(
    fma(p.d, Point(high.w), fma(p.c, Point(high.z), fma(p.b, Point(high.y), fma(p.a, Point(high.x), zero)))),
    fma(p.d, Point(high.z), fma(p.c, Point(high.y), fma(p.b, Point(high.x), zero))),
    fma(p.d, Point(high.y), fma(p.c, Point(high.x), zero)),
    fma(p.d, Point(high.x), zero),
  );
}

/// The same for the group after the last taps: three points of it.
fn endAcross(sums: Four, p: Four, low: vec4f) -> Four {
  var s = sums;
  s.b = fma(p.a, Point(low.w), s.b);
  s.c = fma(p.b, Point(low.w), fma(p.a, Point(low.z), s.c));
  s.d = fma(p.c, Point(low.w), fma(p.b, Point(low.z), fma(p.a, Point(low.y), s.d)));
  return s;
}

/// The share of four neighbouring points of a line in four neighbouring sums along it.
fn slideAlong(sums: vec4f, p: vec4f, high: vec4f, low: vec4f) -> vec4f {
  var s = fma(vec4f(p.x), vec4f(high.x, low.wzy), sums);
  s = fma(vec4f(p.y), vec4f(high.yx, low.wz), s);
  s = fma(vec4f(p.z), vec4f(high.zyx, low.w), s);
  return fma(vec4f(p.w), high.wzyx, s);
}

// == volume-rows ==
// Sums along rows, four neighbouring ones at a time, from a volume's input.

/// Groups of four weights along rows, after the four groups of those across them: one more than the taps need where points are
/// read in groups that begin at multiples of four.
override ALONG_GROUPS: u32 = 4u;

/// The sums at x … x + 3 of the row that begins at `row`; x may lie beyond its end.
fn alongRow(row: u32, x: u32) -> vec4f {
  let n = parameters.n3;
  var at = (x + n - parameters.reach) % n;
  var low = vec4f(0.0);
  var sums = vec4f(0.0);
  for (var m = 0u; m <= ALONG_GROUPS; m++) {
    var high = vec4f(0.0);
    if (m < ALONG_GROUPS) {
      high = weights[4u + m];
    }
    sums = slideAlong(sums, quadOf(row, at), high, low);
    low = high;
    at += 4u;
    at = select(at, at - n, at >= n);
  }
  return sums;
}

// == volume-along ==
// A pass along the rows of a volume [magic-filter]: out(i₁, i₂, i₃) = Σ_j ω_j in(i₁, i₂, i₃ + j).
// Bindings: those of `volume-singles` or `volume-quads`.
// Workgroup: LANES × ROWS invocations, four neighbouring points of a row each. What neighbours read too comes from the cache.
// Boundary: a row repeats itself; it has at least 16 points.

override LANES: u32 = 32u;
override ROWS: u32 = 4u;

@compute @workgroup_size(LANES, ROWS)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = 4u * id.x;
  if (x >= parameters.n3 || id.y >= parameters.n2) {
    return;
  }
  let row = (id.z * parameters.n2 + id.y) * parameters.n3;
  keepQuad(row, x, alongRow(row, x));
}

// == volume-plane ==
// A plane of a volume filtered along its rows and across them [magic-filter]:
// out(i₁, i₂, i₃) = Σ_j ω_j Σ_k ω_k in(i₁, i₂ + j, i₃ + k).
// Bindings: those of `volume-singles` or `volume-quads`.
// Workgroup: LANES invocations and a tile of 4 · TILE_QUADS points of TILE_ROWS rows. Its rows, and the fifteen that the taps reach
//   beyond them, are filtered along from the input into workgroup memory, four points an invocation at a time; from there across,
//   four rows an invocation at a time.
// Boundary: the plane repeats itself; a row has at least 16 points.

override TILE_QUADS: u32 = 16u;
/// A multiple of four.
override TILE_ROWS: u32 = 32u;
override LANES: u32 = 128u;
/// (TILE_ROWS + 15) rows of 4 · TILE_QUADS numbers, in Points.
override TILE_POINTS: u32 = 3008u;

var<workgroup> tile: array<Point, TILE_POINTS>;

@compute @workgroup_size(LANES)
fn main(@builtin(local_invocation_index) lane: u32, @builtin(workgroup_id) group: vec3u) {
  let firstX = group.x * TILE_QUADS * 4u;
  let firstY = group.y * TILE_ROWS;
  let plane = group.z * parameters.n2 * parameters.n3;
  let above = parameters.n2 - parameters.lower % parameters.n2;
  for (var item = lane; item < (TILE_ROWS + 15u) * TILE_QUADS; item += LANES) {
    let quad = item % TILE_QUADS;
    let y = (firstY + item / TILE_QUADS + above) % parameters.n2;
    let sums = alongRow(plane + y * parameters.n3, firstX + 4u * quad);
    for (var k = 0u; k < 4u / POINT; k++) {
      tile[item * (4u / POINT) + k] = pointOf(sums, k);
    }
  }
  workgroupBarrier();

  let columns = TILE_QUADS * 4u / POINT;
  for (var item = lane; item < columns * (TILE_ROWS / 4u); item += LANES) {
    let column = item % columns;
    let row = item / columns * 4u;
    let y = firstY + row;
    let x = firstX + column * POINT;
    if (y < parameters.n2 && x < parameters.n3) {
      keepFour(plane, y, x, acrossTile(row * columns + column, columns));
    }
  }
}

/// Sums across four rows of the tile, the first of whose points is at `at`.
fn acrossTile(at: u32, columns: u32) -> Four {
  var sums = beginAcross(fourOfTile(at, columns), weights[0]);
  for (var m = 1u; m < 4u; m++) {
    let points = fourOfTile(at + 4u * m * columns, columns);
    sums = slideAcross(sums, points, weights[m], weights[m - 1u]);
  }
  let end = at + 16u * columns;
  let last = Four(tile[end], tile[end + columns], tile[end + 2u * columns], Point(0.0));
  return endAcross(sums, last, weights[3]);
}

fn fourOfTile(at: u32, columns: u32) -> Four {
  return Four(tile[at], tile[at + columns], tile[at + 2u * columns], tile[at + 3u * columns]);
}

fn keepFour(plane: u32, y: u32, x: u32, sums: Four) {
  let step = parameters.n3 / POINT;
  let at = (plane + y * parameters.n3 + x) / POINT;
  result[at] = sums.a;
  if (y + 1u < parameters.n2) {
    result[at + step] = sums.b;
  }
  if (y + 2u < parameters.n2) {
    result[at + 2u * step] = sums.c;
  }
  if (y + 3u < parameters.n2) {
    result[at + 3u * step] = sums.d;
  }
}

// == volume-across ==
// A pass across the rows or the planes of a volume [magic-filter]: out(o, i, c) = Σ_j ω_j in(o, i + j, c), arrays of
// [outer][length][columns] Points.
// Bindings: those of `volume-singles` or `volume-quads`.
// Workgroup: COLUMNS neighbouring columns × SEGMENTS neighbouring segments of 4 · GROUPS points. An invocation goes along its
//   segment and reads every point once, four at a time and four ahead; sums that are not complete yet stay in its registers.
// Boundary: a column repeats itself.

override COLUMNS: u32 = 64u;
override SEGMENTS: u32 = 4u;
override GROUPS: u32 = 8u;

fn nextOf(at: u32) -> u32 {
  return select(at + 1u, 0u, at + 1u == parameters.length);
}

/// Keeps four sums of a column, the first at point i, as far as the column goes.
fn keepColumn(base: u32, i: u32, sums: Four) {
  let step = parameters.columns;
  let at = base + i * step;
  if (i < parameters.length) {
    result[at] = sums.a;
  }
  if (i + 1u < parameters.length) {
    result[at + step] = sums.b;
  }
  if (i + 2u < parameters.length) {
    result[at + 2u * step] = sums.c;
  }
  if (i + 3u < parameters.length) {
    result[at + 3u * step] = sums.d;
  }
}

@compute @workgroup_size(COLUMNS, SEGMENTS)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let first = id.y * 4u * GROUPS;
  if (id.x >= parameters.columns || first >= parameters.length) {
    return;
  }
  let step = parameters.columns;
  let base = id.z * parameters.length * step + id.x;
  let w0 = weights[0];
  let w1 = weights[1];
  let w2 = weights[2];
  let w3 = weights[3];

  var b = (first + parameters.length - parameters.lower % parameters.length) % parameters.length;
  var next = Four();
  var fourth = Four();
  var third = Four();
  var second = Four();
  var youngest = Four();
  // One group of points is read before the first is worked on.
  for (var m = 0u; m <= GROUPS + 4u; m++) {
    let points = next;
    if (m < GROUPS + 4u) {
      let c = nextOf(b);
      let d = nextOf(c);
      let e = nextOf(d);
      next = Four(source[base + b * step], source[base + c * step], source[base + d * step], source[base + e * step]);
      b = nextOf(e);
    }
    if (m == 0u) {
      continue;
    }
    // Sums that began four groups ago are complete with this one.
    if (m >= 5u) {
      keepColumn(base, first + 4u * (m - 5u), endAcross(fourth, points, w3));
    }
    fourth = slideAcross(third, points, w3, w2);
    third = slideAcross(second, points, w2, w1);
    second = slideAcross(youngest, points, w1, w0);
    youngest = beginAcross(points, w0);
  }
}
