// Coefficients along x of each row of averages, of all differences: rows[j][k] = Σ_i basis[i][k] means[j][i].
// Workgroup: 256 invocations for a row, two halves of the sum for at most 128 of k; y is the row. Boundary: what is not there adds 0.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
/// [sizeX][sizeX], what all functions are at a place side by side.
@group(0) @binding(1) var<storage, read> basis: array<f32>;
@group(0) @binding(2) var<storage, read> means: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> rows: array<vec4f>;

var<workgroup> row: array<vec4f, 128>;
var<workgroup> halves: array<vec4f, 128>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let n = parameters.sizeX;
  if (lane < n) {
    row[lane] = means[group.y * n + lane];
  }
  workgroupBarrier();
  let k = lane % 128u;
  let middle = (n + 1u) / 2u;
  let isSecond = lane >= 128u;
  var sum = vec4f();
  if (k < n) {
    for (var i = select(0u, middle, isSecond); i < select(middle, n, isSecond); i++) {
      sum += basis[i * n + k] * row[i];
    }
  }
  if (isSecond) {
    halves[k] = sum;
  }
  workgroupBarrier();
  if (lane < n) {
    rows[group.y * n + lane] = sum + halves[lane];
  }
}
