// Kernels of the factorisation.

// == panel ==
// Factorises one panel of 32 columns of A = L Lᵀ: L₁₁ L₁₁ᵀ = A₁₁ and X ← X L₁₁⁻ᵀ for the rows X below.
// The rows below are, 32 to a workgroup: those of an identity (workgroup 0; they become L₁₁⁻ᵀ, which the back substitution
// uses), those of the matrix below the panel, and the right-hand sides. Each workgroup factorises A₁₁ for itself, so that
// nothing waits for another; nobody writes A₁₁ back.
// Elimination keeps columns unscaled, a[i][j] −= a[i][k] a[j][k] / a[k][k], so that a step needs one barrier: the owners of
// column k show it to all, and everything else stays in registers. The scaling by 1/√pivot comes last. A pivot that is not
// positive and finite counts as infinite: its column becomes 0, and status is its row.
// Workgroup: 256 invocations, each 8 rows of a column of the 64 × 32 tile. Boundary: a last panel of fewer columns is filled
// up with the identity; rows beyond the right-hand sides are not stored.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> matrix: array<f32>;
@group(0) @binding(2) var<storage, read_write> solution: array<f32>;
/// [panel][32][32]: L₁₁⁻ᵀ of each panel.
@group(0) @binding(3) var<storage, read_write> inverses: array<f32>;
@group(0) @binding(4) var<storage, read_write> status: array<u32>;

const PANEL = 32u;
/// Rows of an invocation: those from 0 to 31 of the tile are A₁₁, the others the rows below.
const OWN_ROWS = 8u;
const COLUMN_QUADS = 16u;

/// The column of a step, four rows each, and that of the step before, which some may still be reading.
var<workgroup> shown: array<vec4f, 32>;
var<workgroup> pivots: array<f32, PANEL>;

/// Positive and finite, judged by the bits, because a compiler may assume that there is no NaN.
fn usable(pivot: f32) -> bool {
  let bits = bitcast<u32>(pivot);
  return bits > 0u && bits < 0x7f800000u;
}

fn element(group: u32, row: u32, column: u32, width: u32) -> f32 {
  if (row < PANEL) {
    return diagonalElement(row, column, width);
  }
  return lowerElement(group, row - PANEL, column, width);
}

fn diagonalElement(row: u32, column: u32, width: u32) -> f32 {
  if (row >= width || column >= width) {
    return select(0.0, 1.0, row == column);
  }
  if (column > row) {
    return 0.0;
  }
  return matrix[(parameters.first + row) * parameters.size + parameters.first + column];
}

fn lowerElement(group: u32, row: u32, column: u32, width: u32) -> f32 {
  if (group == 0u) {
    return select(0.0, 1.0, row == column);
  }
  if (column >= width) {
    return 0.0;
  }
  let size = parameters.size;
  let extended = parameters.first + width + (group - 1u) * PANEL + row;
  if (extended < size) {
    return matrix[extended * size + parameters.first + column];
  }
  if (extended - size < parameters.rightHandSides) {
    return solution[(extended - size) * size + parameters.first + column];
  }
  return 0.0;
}

fn storeLower(group: u32, row: u32, column: u32, width: u32, value: f32) {
  if (group == 0u) {
    inverses[parameters.first * PANEL + row * PANEL + column] = value;
    return;
  }
  if (column >= width) {
    return;
  }
  let size = parameters.size;
  let extended = parameters.first + width + (group - 1u) * PANEL + row;
  if (extended < size) {
    matrix[extended * size + parameters.first + column] = value;
  } else if (extended - size < parameters.rightHandSides) {
    solution[(extended - size) * size + parameters.first + column] = value;
  }
}

fn reportFailure(width: u32) {
  var failed = 0u;
  for (var k = 0u; k < width && failed == 0u; k++) {
    if (!usable(pivots[k])) {
      failed = parameters.first + k + 1u;
    }
  }
  if (parameters.first == 0u || status[0] == 0u) {
    status[0] = failed;
  }
}

fn fourElements(group: u32, row: u32, column: u32, width: u32) -> vec4f {
  return vec4f(
    element(group, row, column, width),
    element(group, row + 1u, column, width),
    element(group, row + 2u, column, width),
    element(group, row + 3u, column, width),
  );
}

fn storeFour(group: u32, row: u32, column: u32, width: u32, values: vec4f) {
  storeLower(group, row, column, width, values.x);
  storeLower(group, row + 1u, column, width, values.y);
  storeLower(group, row + 2u, column, width, values.z);
  storeLower(group, row + 3u, column, width, values.w);
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) groupId: vec3u, @builtin(local_invocation_index) lane: u32) {
  let width = min(PANEL, parameters.size - parameters.first);
  let column = lane % PANEL;
  let firstRow = lane / PANEL * OWN_ROWS;
  let ownQuad = firstRow / 4u;
  var low = fourElements(groupId.x, firstRow, column, width);
  var high = fourElements(groupId.x, firstRow + 4u, column, width);
  for (var k = 0u; k < PANEL; k++) {
    let half = k % 2u * COLUMN_QUADS;
    if (column == k) {
      shown[half + ownQuad] = low;
      shown[half + ownQuad + 1u] = high;
    }
    workgroupBarrier();
    let pivot = shown[half + k / 4u][k % 4u];
    if (lane == k) {
      pivots[k] = pivot;
    }
    if (column > k && usable(pivot)) {
      // Above the diagonal the numbers mean nothing, and none of them gets below it.
      let factor = shown[half + column / 4u][column % 4u] / pivot;
      low -= shown[half + ownQuad] * factor;
      high -= shown[half + ownQuad + 1u] * factor;
    }
  }
  workgroupBarrier();
  if (firstRow >= PANEL) {
    let pivot = pivots[column];
    let scale = select(0.0, inverseSqrt(pivot), usable(pivot));
    // What an unusable pivot leaves may be no number.
    storeFour(groupId.x, firstRow - PANEL, column, width, select(vec4f(), low * scale, usable(pivot)));
    storeFour(groupId.x, firstRow - PANEL + 4u, column, width, select(vec4f(), high * scale, usable(pivot)));
  }
  if (groupId.x == 0u && lane == 0u) {
    reportFailure(width);
  }
}

// == trailing-update ==
// A₂₂ ← A₂₂ − L₂₁ L₂₁ᵀ after a panel of 32 columns, for the lower triangle and, below it, the right-hand sides.
// Needs library/tile-product.wgsl. Workgroup: 256 invocations for a tile of 64 × 64; tiles above the diagonal end at once.
// No race: the panel's columns are only read, and each element of what is updated has one owner.
// Boundary: rows beyond the right-hand sides and columns beyond the matrix are read as 0 and not stored.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> matrix: array<f32>;
@group(0) @binding(2) var<storage, read_write> solution: array<f32>;

const PANEL = 32u;

/// Element of the panel's column `first + term` in an extended row: of the matrix, then of the right-hand sides.
fn panelElement(row: u32, term: u32) -> f32 {
  let size = parameters.size;
  let column = parameters.first + term;
  if (row < size) {
    return matrix[row * size + column];
  }
  if (row - size < parameters.rightHandSides) {
    return solution[(row - size) * size + column];
  }
  return 0.0;
}

fn leftAt(row: u32, term: u32) -> f32 {
  return panelElement(row, term);
}

fn rightAt(term: u32, column: u32) -> f32 {
  return panelElement(column, term);
}

/// Subtracts from an element of the lower triangle or of the right-hand sides; from nothing elsewhere.
fn storeAt(row: u32, column: u32, value: f32) {
  let size = parameters.size;
  if (column >= size || column > row) {
    return;
  }
  if (row < size) {
    matrix[row * size + column] -= value;
  } else if (row - size < parameters.rightHandSides) {
    solution[(row - size) * size + column] -= value;
  }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) tileId: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (tileId.y < tileId.x) {
    return;
  }
  let origin = parameters.first + PANEL;
  let firstColumn = origin + tileId.x * TILE;
  let firstRow = origin + tileId.y * TILE;
  let sum = tileProduct(PANEL, firstRow, firstColumn, lane, alongTerms(lane), alongTerms(lane));
  storeTile(sum, firstRow, firstColumn, lane);
}
