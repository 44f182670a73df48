// Coefficients along x of each row of averages: rows[j][k] = Σ_i basis[k][i] means[j][i], for each of the differences.
// Workgroup: 64 invocations along k; y is the row, z the difference. Boundary: guarded.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> basis: array<f32>;
@group(0) @binding(2) var<storage, read> means: array<f32>;
@group(0) @binding(3) var<storage, read_write> rows: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let n = parameters.sizeX;
  if (id.x >= n) {
    return;
  }
  let start = (id.z * parameters.sizeY + id.y) * n;
  var sum = 0.0;
  for (var i = 0u; i < n; i++) {
    sum += basis[id.x * n + i] * means[start + i];
  }
  rows[start + id.x] = sum;
}
