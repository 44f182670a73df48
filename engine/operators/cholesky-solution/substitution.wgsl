// Kernels that substitute with the factor.

// == back-substitution ==
// A step of x L = y, for rows y = (L⁻¹ b)ᵀ, one of each right-hand side, panel by panel from the last:
//   x_P = y_P L_PP⁻¹,   y_a −= Σ_{t ∈ P} x_t L[t][a] for the columns a before the panel.
// x goes to an array of its own, so that each workgroup can make the x_P that it needs from y_P.
// Workgroup: 256 invocations for 32 columns a and 32 right-hand sides, four of these an invocation; workgroup 0 along x also
// writes x_P. All that a step reads is asked for at once. Boundary: the last panel may have fewer than 32 columns; what is not
// there is 0 and not stored.

@group(0) @binding(0) var<uniform> parameters: Parameters;
/// The strictly lower panels of L.
@group(0) @binding(1) var<storage, read> matrix: array<f32>;
/// [panel][32][32]: L_PP⁻ᵀ, upper triangular.
@group(0) @binding(2) var<storage, read> inverses: array<f32>;
/// y
@group(0) @binding(3) var<storage, read_write> remaining: array<f32>;
/// x
@group(0) @binding(4) var<storage, read_write> solution: array<f32>;

const PANEL = 32u;
const LANES = 256u;
/// Of the rows that an invocation reads, four, one from the next.
const STEP = 8u;
/// One more than needed, so that either index spreads over the banks.
const STRIDE = 33u;

/// [t][right-hand side], y_P and then x_P.
var<workgroup> known: array<f32, 1056>;
/// [row][t]
var<workgroup> inverse: array<f32, 1024>;
/// [t][a]
var<workgroup> elements: array<f32, 1024>;

fn rowsFrom(row: u32) -> vec4u {
  return row + STEP * vec4u(0u, 1u, 2u, 3u);
}

fn remainingAt(row: u32, column: u32, isThere: bool) -> f32 {
  if (isThere && row < parameters.rightHandSides) {
    return remaining[row * parameters.size + column];
  }
  return 0.0;
}

fn elementAt(row: u32, column: u32) -> f32 {
  if (column < parameters.first && row < parameters.size) {
    return matrix[row * parameters.size + column];
  }
  return 0.0;
}

fn storeRemaining(row: u32, column: u32, value: f32) {
  if (column < parameters.first && row < parameters.rightHandSides) {
    remaining[row * parameters.size + column] = value;
  }
}

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) groupId: vec3u, @builtin(local_invocation_index) lane: u32) {
  let first = parameters.first;
  let width = min(PANEL, parameters.size - first);
  let firstSide = groupId.y * PANEL;
  let t = lane % PANEL;
  let part = lane / PANEL;
  let rows = rowsFrom(part);
  let a = groupId.x * PANEL + t;
  let sides = firstSide + 4u * part + vec4u(0u, 1u, 2u, 3u);

  let y = vec4f(
    remainingAt(firstSide + rows.x, first + t, t < width),
    remainingAt(firstSide + rows.y, first + t, t < width),
    remainingAt(firstSide + rows.z, first + t, t < width),
    remainingAt(firstSide + rows.w, first + t, t < width),
  );
  let l = vec4f(
    elementAt(first + rows.x, a),
    elementAt(first + rows.y, a),
    elementAt(first + rows.z, a),
    elementAt(first + rows.w, a),
  );
  let start = first * PANEL + t;
  let i = vec4f(
    inverses[start + rows.x * PANEL],
    inverses[start + rows.y * PANEL],
    inverses[start + rows.z * PANEL],
    inverses[start + rows.w * PANEL],
  );
  let before = vec4f(
    remainingAt(sides.x, a, a < first),
    remainingAt(sides.y, a, a < first),
    remainingAt(sides.z, a, a < first),
    remainingAt(sides.w, a, a < first),
  );
  for (var r = 0u; r < 4u; r++) {
    known[t * STRIDE + rows[r]] = y[r];
    inverse[rows[r] * PANEL + t] = i[r];
    elements[rows[r] * PANEL + t] = l[r];
  }
  workgroupBarrier();
  // x of four t and the right-hand side `firstSide + t`; an inverse is the same for 32 invocations.
  var x = vec4f();
  for (var u = 0u; u < PANEL; u++) {
    x += known[u * STRIDE + t] *
      vec4f(inverse[rows.x * PANEL + u], inverse[rows.y * PANEL + u], inverse[rows.z * PANEL + u], inverse[rows.w * PANEL + u]);
  }
  workgroupBarrier();
  for (var r = 0u; r < 4u; r++) {
    known[rows[r] * STRIDE + t] = x[r];
  }
  workgroupBarrier();
  if (groupId.x == 0u && t < width) {
    for (var r = 0u; r < 4u; r++) {
      if (firstSide + rows[r] < parameters.rightHandSides) {
        solution[(firstSide + rows[r]) * parameters.size + first + t] = known[t * STRIDE + rows[r]];
      }
    }
  }
  var sum = vec4f();
  for (var u = 0u; u < PANEL; u++) {
    let at = u * STRIDE + 4u * part;
    sum += elements[u * PANEL + t] * vec4f(known[at], known[at + 1u], known[at + 2u], known[at + 3u]);
  }
  let after = before - sum;
  storeRemaining(sides.x, a, after.x);
  storeRemaining(sides.y, a, after.y);
  storeRemaining(sides.z, a, after.z);
  storeRemaining(sides.w, a, after.w);
}

// == substitution ==
// x ← L⁻ᵀ L⁻¹ x of one right-hand side a workgroup, panel by panel of 32 columns, down and up again. The factorisation
// (`panel`) leaves L below its diagonal blocks, and in these what they were made of, A₁₁ = L₁₁ L₁₁ᵀ: they are factorised
// again, by the same elimination, each time that a panel is passed.
// Workgroup: 256 invocations. Boundary: a last panel of fewer columns is filled up with the identity. A pivot that is not
// positive and finite counts as infinite, as there: its unknown becomes 0.

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
