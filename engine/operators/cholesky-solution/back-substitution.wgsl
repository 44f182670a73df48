// A step of x L = y, for rows y = (L⁻¹ b)ᵀ, one of each right-hand side, panel by panel from the last:
//   x_P = y_P L_PP⁻¹,   y_a −= Σ_{t ∈ P} x_t L[t][a] for the columns a before the panel.
// x goes to an array of its own, so that each workgroup can make the x_P that it needs from y_P.
// Workgroup: 256 invocations for 32 columns a and 32 right-hand sides, four of these an invocation; workgroup 0 along x also
// writes x_P. All that a step reads is asked for at once. Boundary: the last panel may have fewer than 32 columns; what is not
// there is 0 and not stored.

// The struct Parameters is made of its description in webgpu.ts.
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
