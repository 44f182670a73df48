// One 64 × 64 tile of a matrix product, left · right, by a workgroup of 256 invocations that each own a 4 × 4 block of it.
// 16 terms of the sum at a time are staged in workgroup memory (8.5 KiB), between two barriers:
//   leftTile[stagedAt(d, q)]  = left(rows 4q … 4q + 3, term d)
//   rightTile[stagedAt(d, q)] = right(term d, columns 4q … 4q + 3)
// The kernel's own file says what the matrices are and where the product goes: leftAt(row, term) and rightAt(term, column),
// which are 0 if there is nothing, and storeAt(row, column, value), which stores nothing there.

const TILE = 64u;
const TILE_QUADS = 16u;
const TILE_TERMS = 16u;
/// One quad more than needed, so that a column of the array meets all banks.
const TILE_STRIDE = 17u;

var<workgroup> leftTile: array<vec4f, 272>;
var<workgroup> rightTile: array<vec4f, 272>;

fn stagedAt(term: u32, quad: u32) -> u32 {
  return term * TILE_STRIDE + quad;
}

/// Adds the staged terms to this invocation's block; (*sum)[r] is its row r.
fn accumulateTile(sum: ptr<function, mat4x4f>, rowQuad: u32, columnQuad: u32) {
  for (var term = 0u; term < TILE_TERMS; term++) {
    let left = leftTile[stagedAt(term, rowQuad)];
    let right = rightTile[stagedAt(term, columnQuad)];
    (*sum)[0] += left.x * right;
    (*sum)[1] += left.y * right;
    (*sum)[2] += left.z * right;
    (*sum)[3] += left.w * right;
  }
}

/// This invocation's block of the product; `terms` is the same in the whole workgroup. `left` and `right` say which term (x)
/// and quad (y) of a factor this invocation stages: `alongQuads` or `alongTerms`, as the factor lies in memory.
fn tileProduct(terms: u32, firstRow: u32, firstColumn: u32, lane: u32, left: vec2u, right: vec2u) -> mat4x4f {
  let row = firstRow + 4u * left.y;
  let column = firstColumn + 4u * right.y;
  var sum = mat4x4f();
  for (var term = 0u; term < terms; term += TILE_TERMS) {
    let l = term + left.x;
    let r = term + right.x;
    workgroupBarrier();
    leftTile[stagedAt(left.x, left.y)] =
      vec4f(leftAt(row, l), leftAt(row + 1u, l), leftAt(row + 2u, l), leftAt(row + 3u, l));
    rightTile[stagedAt(right.x, right.y)] =
      vec4f(rightAt(r, column), rightAt(r, column + 1u), rightAt(r, column + 2u), rightAt(r, column + 3u));
    workgroupBarrier();
    accumulateTile(&sum, lane / TILE_QUADS, lane % TILE_QUADS);
  }
  return sum;
}

/// For a factor whose rows of the tile, or columns, follow each other in memory.
fn alongQuads(lane: u32) -> vec2u {
  return vec2u(lane / TILE_QUADS, lane % TILE_QUADS);
}

/// For a factor whose terms follow each other in memory.
fn alongTerms(lane: u32) -> vec2u {
  return vec2u(lane % TILE_TERMS, lane / TILE_TERMS);
}

fn storeQuad(row: u32, column: u32, value: vec4f) {
  storeAt(row, column, value.x);
  storeAt(row, column + 1u, value.y);
  storeAt(row, column + 2u, value.z);
  storeAt(row, column + 3u, value.w);
}

/// Hands this invocation's block of the tile to storeAt; written out, so that it stays in registers.
fn storeTile(sum: mat4x4f, firstRow: u32, firstColumn: u32, lane: u32) {
  let row = firstRow + 4u * (lane / TILE_QUADS);
  let column = firstColumn + 4u * (lane % TILE_QUADS);
  storeQuad(row, column, sum[0]);
  storeQuad(row + 1u, column, sum[1]);
  storeQuad(row + 2u, column, sum[2]);
  storeQuad(row + 3u, column, sum[3]);
}
