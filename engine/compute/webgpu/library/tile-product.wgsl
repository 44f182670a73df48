// One 64 × 64 tile of a matrix product, left · right, by a workgroup of 256 invocations that each own a 4 × 4 block of it.
// The caller stages 16 terms of the sum at a time in workgroup memory (8.5 KiB), between two barriers:
//   leftTile[stagedAt(d, q)]  = left(rows 4q … 4q + 3, term d)
//   rightTile[stagedAt(d, q)] = right(term d, columns 4q … 4q + 3)

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
