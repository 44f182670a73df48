// A plane of a volume filtered along its rows and across them [magic-filter]:
// out(i₁, i₂, i₃) = Σ_j ω_j Σ_k ω_k in(i₁, i₂ + j, i₃ + k).
// Bindings: those of volume-singles.wgsl or volume-quads.wgsl.
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
