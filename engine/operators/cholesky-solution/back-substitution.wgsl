// A step of x L = y, for rows y = (L⁻¹ b)ᵀ, one of each right-hand side, panel by panel from the last:
//   x_P = y_P L_PP⁻¹,   y_a −= Σ_{t ∈ P} x_t L[t][a] for the columns a before the panel.
// x goes to an array of its own, so that each workgroup can make the x_P that it needs from y_P.
// Workgroup: 256 invocations for 64 columns a and 32 right-hand sides, eight of these an invocation; workgroup 0 along x also
// writes x_P. Boundary: the last panel may have fewer than 32 columns; what is not there is 0 and not stored.

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
const SIDES = 32u;
const COLUMNS = 64u;
const LANES = 256u;
const OWN_SIDES = 8u;

/// [t][right-hand side], y_P and then x_P; one more than needed, so that either index spreads over the banks.
var<workgroup> known: array<f32, 1056>;
var<workgroup> solved: array<f32, 1056>;
const STRIDE = 33u;

@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) groupId: vec3u, @builtin(local_invocation_index) lane: u32) {
  let size = parameters.size;
  let first = parameters.first;
  let width = min(PANEL, size - first);
  let firstSide = groupId.y * SIDES;
  let t = lane % PANEL;
  for (var s = lane / PANEL; s < SIDES; s += LANES / PANEL) {
    var y = 0.0;
    if (t < width && firstSide + s < parameters.rightHandSides) {
      y = remaining[(firstSide + s) * size + first + t];
    }
    known[t * STRIDE + s] = y;
  }
  workgroupBarrier();
  // Lanes along the right-hand sides, so that an inverse is the same for all of a row of them.
  let side = lane % SIDES;
  for (var row = lane / SIDES; row < PANEL; row += LANES / SIDES) {
    var x = 0.0;
    if (row < width) {
      for (var u = row; u < width; u++) {
        x += known[u * STRIDE + side] * inverses[first * PANEL + row * PANEL + u];
      }
    }
    solved[row * STRIDE + side] = x;
  }
  workgroupBarrier();
  if (groupId.x == 0u && t < width) {
    for (var s = lane / PANEL; s < SIDES; s += LANES / PANEL) {
      if (firstSide + s < parameters.rightHandSides) {
        solution[(firstSide + s) * size + first + t] = solved[t * STRIDE + s];
      }
    }
  }
  let a = groupId.x * COLUMNS + lane % COLUMNS;
  if (a >= first) {
    return;
  }
  let ownSide = lane / COLUMNS * OWN_SIDES;
  var low = vec4f();
  var high = vec4f();
  for (var u = 0u; u < width; u++) {
    let element = matrix[(first + u) * size + a];
    let at = u * STRIDE + ownSide;
    low += element * vec4f(solved[at], solved[at + 1u], solved[at + 2u], solved[at + 3u]);
    high += element * vec4f(solved[at + 4u], solved[at + 5u], solved[at + 6u], solved[at + 7u]);
  }
  for (var s = 0u; s < OWN_SIDES; s++) {
    let row = firstSide + ownSide + s;
    if (row < parameters.rightHandSides) {
      remaining[row * size + a] -= select(high[s % 4u], low[s % 4u], s < 4u);
    }
  }
}
