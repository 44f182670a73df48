// x ← L⁻ᵀ L⁻¹ x of one right-hand side a workgroup, panel by panel of 32 columns, down and up again. The factorisation
// (panel.wgsl) leaves L below its diagonal blocks, and in these what they were made of, A₁₁ = L₁₁ L₁₁ᵀ: they are factorised
// again, by the same elimination, each time that a panel is passed.
// Workgroup: 256 invocations. Boundary: a last panel of fewer columns is filled up with the identity. A pivot that is not
// positive and finite counts as infinite, as there: its unknown becomes 0.

// The struct Parameters is made of its description in webgpu-substitution.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> matrix: array<f32>;
/// [right-hand side][row]
@group(0) @binding(2) var<storage, read_write> solution: array<f32>;

const PANEL = 32u;
const LANES = 256u;
/// Elements of a diagonal block that an invocation owns: in one row, every eighth column.
const OWN = 4u;
const STEP = 8u;

/// [row][column] of A₁₁ as it is eliminated, columns unscaled.
var<workgroup> block: array<f32, 1024>;
/// Of the panel: y on the way down, x on the way up.
var<workgroup> known: array<f32, PANEL>;
/// [slice][column] of the sums of a panel on the way up.
var<workgroup> partial: array<f32, LANES>;

/// Positive and finite, judged by the bits, because a compiler may assume that there is no NaN.
fn usable(pivot: f32) -> bool {
  let bits = bitcast<u32>(pivot);
  return bits > 0u && bits < 0x7f800000u;
}

fn inverseRoot(k: u32) -> f32 {
  let pivot = block[k * PANEL + k];
  return select(0.0, inverseSqrt(pivot), usable(pivot));
}

/// L₁₁[row][column], row ≥ column.
fn factor(row: u32, column: u32) -> f32 {
  let value = block[row * PANEL + column] * inverseRoot(column);
  return select(0.0, value, usable(block[column * PANEL + column]));
}

fn factorise(first: u32, width: u32, lane: u32) {
  let size = parameters.size;
  let row = lane / STEP;
  for (var own = 0u; own < OWN; own++) {
    let column = lane % STEP + own * STEP;
    var value = select(0.0, 1.0, row == column);
    if (row < width && column <= row) {
      value = matrix[(first + row) * size + first + column];
    }
    block[row * PANEL + column] = value;
  }
  workgroupBarrier();
  for (var k = 0u; k < PANEL; k++) {
    let pivot = block[k * PANEL + k];
    if (usable(pivot) && row > k) {
      let scaled = block[row * PANEL + k] / pivot;
      for (var own = 0u; own < OWN; own++) {
        let column = lane % STEP + own * STEP;
        if (column > k && column <= row) {
          block[row * PANEL + column] -= scaled * block[column * PANEL + k];
        }
      }
    }
    workgroupBarrier();
  }
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) groupId: vec3u, @builtin(local_invocation_index) lane: u32) {
  let size = parameters.size;
  let start = groupId.x * size;
  let panels = (size + PANEL - 1u) / PANEL;

  for (var panel = 0u; panel < panels; panel++) {
    let first = panel * PANEL;
    let width = min(PANEL, size - first);
    factorise(first, width, lane);
    if (lane < PANEL) {
      known[lane] = select(0.0, solution[start + min(first + lane, size - 1u)], lane < width);
    }
    workgroupBarrier();
    for (var k = 0u; k < PANEL; k++) {
      let value = known[k] * inverseRoot(k);
      workgroupBarrier();
      if (lane == k) {
        known[k] = value;
      } else if (lane > k && lane < PANEL) {
        known[lane] -= factor(lane, k) * value;
      }
      workgroupBarrier();
    }
    if (lane < width) {
      solution[start + first + lane] = known[lane];
    }
    for (var row = first + width + lane; row < size; row += LANES) {
      var sum = 0.0;
      for (var t = 0u; t < width; t++) {
        sum += matrix[row * size + first + t] * known[t];
      }
      solution[start + row] -= sum;
    }
    storageBarrier();
    workgroupBarrier();
  }

  let slice = lane / PANEL;
  let own = lane % PANEL;
  for (var passed = 0u; passed < panels; passed++) {
    let first = (panels - 1u - passed) * PANEL;
    let width = min(PANEL, size - first);
    factorise(first, width, lane);
    // Σ over the rows below, of which x is known: in eight slices, added in their order.
    var sum = 0.0;
    if (own < width) {
      for (var row = first + width + slice; row < size; row += LANES / PANEL) {
        sum += matrix[row * size + first + own] * solution[start + row];
      }
    }
    partial[lane] = sum;
    workgroupBarrier();
    if (lane < PANEL) {
      var rest = select(0.0, solution[start + min(first + lane, size - 1u)], lane < width);
      for (var s = 0u; s < LANES / PANEL; s++) {
        rest -= partial[s * PANEL + lane];
      }
      known[lane] = rest;
    }
    workgroupBarrier();
    for (var step = 0u; step < PANEL; step++) {
      let k = PANEL - 1u - step;
      let value = known[k] * inverseRoot(k);
      workgroupBarrier();
      if (lane == k) {
        known[k] = value;
      } else if (lane < k) {
        known[lane] -= factor(k, lane) * value;
      }
      workgroupBarrier();
    }
    if (lane < width) {
      solution[start + first + lane] = known[lane];
    }
    storageBarrier();
    workgroupBarrier();
  }
}
