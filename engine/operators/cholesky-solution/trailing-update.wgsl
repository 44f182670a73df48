// A₂₂ ← A₂₂ − L₂₁ L₂₁ᵀ after a panel of 32 columns, for the lower triangle and, below it, the right-hand sides.
// Needs library/tile-product.wgsl. Workgroup: 256 invocations for a tile of 64 × 64; tiles above the diagonal end at once.
// No race: the panel's columns are only read, and each element of what is updated has one owner.
// Boundary: rows beyond the right-hand sides and columns beyond the matrix are read as 0 and not stored.

// The struct Parameters is made of its description in webgpu.ts.
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
