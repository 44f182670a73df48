// x L = y for each right-hand side, a row y = (L⁻¹ b)ᵀ, in place: panel by panel from the last,
//   x_P = y_P L_PP⁻¹,   y_a −= Σ_{t ∈ P} x_t L[t][a] for the columns a before the panel.
// Workgroup: 256 invocations for one right-hand side, lanes along a, so that rows of L are read coalesced.
// Boundary: the last panel may have fewer than 32 columns.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
/// The strictly lower panels of L.
@group(0) @binding(1) var<storage, read> matrix: array<f32>;
/// [panel][32][32]: L_PP⁻ᵀ, upper triangular.
@group(0) @binding(2) var<storage, read> inverses: array<f32>;
@group(0) @binding(3) var<storage, read_write> solution: array<f32>;

const PANEL = 32u;
const LANES = 256u;

var<workgroup> known: array<f32, 32>;
var<workgroup> solved: array<f32, 32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) groupId: vec3u, @builtin(local_invocation_index) lane: u32) {
  let size = parameters.size;
  let start = groupId.x * size;
  for (var panel = (size + PANEL - 1u) / PANEL; panel > 0u; panel--) {
    let first = (panel - 1u) * PANEL;
    let width = min(PANEL, size - first);
    storageBarrier();
    workgroupBarrier();
    if (lane < width) {
      known[lane] = solution[start + first + lane];
    }
    workgroupBarrier();
    if (lane < width) {
      var x = 0.0;
      for (var t = lane; t < width; t++) {
        x += known[t] * inverses[first * PANEL + lane * PANEL + t];
      }
      solved[lane] = x;
      solution[start + first + lane] = x;
    }
    workgroupBarrier();
    for (var a = lane; a < first; a += LANES) {
      var sum = 0.0;
      for (var t = 0u; t < width; t++) {
        sum += solved[t] * matrix[(first + t) * size + a];
      }
      solution[start + a] -= sum;
    }
  }
}
