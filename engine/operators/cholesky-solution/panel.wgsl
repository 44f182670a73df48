// Factorises one panel of 32 columns of A = L Lᵀ: L₁₁ L₁₁ᵀ = A₁₁ and X ← X L₁₁⁻ᵀ for the rows X below.
// The rows below are, 32 to a workgroup: those of an identity (workgroup 0; they become L₁₁⁻ᵀ, which the back substitution
// uses), those of the matrix below the panel, and the right-hand sides. Each workgroup factorises A₁₁ for itself, so that
// nothing waits for another; nobody writes A₁₁ back.
// Elimination keeps columns unscaled, a[i][j] −= a[i][k] a[j][k] / a[k][k], so that a step needs one barrier; the scaling by
// 1/√pivot comes last. A pivot that is not positive and finite counts as infinite: its column becomes 0, and status is its row.
// Workgroup: 256 invocations, each 8 elements of the 64 × 32 tile. Boundary: a last panel of fewer columns is filled up with
// the identity; rows beyond the right-hand sides are not stored.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> matrix: array<f32>;
@group(0) @binding(2) var<storage, read_write> solution: array<f32>;
/// [panel][32][32]: L₁₁⁻ᵀ of each panel.
@group(0) @binding(3) var<storage, read_write> inverses: array<f32>;
@group(0) @binding(4) var<storage, read_write> status: array<u32>;

const PANEL = 32u;
const ROWS = 64u;
const ROWS_A_PASS = 8u;

/// Rows 0 … 31 hold A₁₁, rows 32 … 63 the rows below; one column more than needed spreads them over the banks.
var<workgroup> tile: array<array<f32, 33>, 64>;

/// Positive and finite, judged by the bits, because a compiler may assume that there is no NaN.
fn usable(pivot: f32) -> bool {
  let bits = bitcast<u32>(pivot);
  return bits > 0u && bits < 0x7f800000u;
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
    if (!usable(tile[k][k])) {
      failed = parameters.first + k + 1u;
    }
  }
  if (parameters.first == 0u || status[0] == 0u) {
    status[0] = failed;
  }
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) groupId: vec3u, @builtin(local_invocation_index) lane: u32) {
  let width = min(PANEL, parameters.size - parameters.first);
  let column = lane % PANEL;
  let firstRow = lane / PANEL;
  for (var row = firstRow; row < PANEL; row += ROWS_A_PASS) {
    tile[row][column] = diagonalElement(row, column, width);
    tile[PANEL + row][column] = lowerElement(groupId.x, row, column, width);
  }
  for (var k = 0u; k < PANEL; k++) {
    workgroupBarrier();
    let pivot = tile[k][k];
    if (column > k && usable(pivot)) {
      let factor = tile[column][k] / pivot;
      for (var row = firstRow; row < ROWS; row += ROWS_A_PASS) {
        if (row >= column) {
          tile[row][column] -= tile[row][k] * factor;
        }
      }
    }
  }
  workgroupBarrier();
  let pivot = tile[column][column];
  for (var row = firstRow; row < PANEL; row += ROWS_A_PASS) {
    let scaled = tile[PANEL + row][column] * inverseSqrt(pivot);
    storeLower(groupId.x, row, column, width, select(0.0, scaled, usable(pivot)));
  }
  if (groupId.x == 0u && lane == 0u) {
    reportFailure(width);
  }
}
