// A ← A + (C − I) among the observations that are used (index.ts): an entry of C below the diagonal goes to its element of A and to
// the mirror image, which nobody else writes.
// Bindings: 0 parameters, 1 indptr [p + 1], 2 indices and 3 correlation [nonzeros], 4 inverseErrorStd [p], 5 matrix [p][p], in place.
// Workgroup: 256 invocations, 32 a row of C, folded into x and y. Invocations of rows past the last one do nothing.

const LANES = 32u;

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> indptr: array<u32>;
@group(0) @binding(2) var<storage, read> indices: array<u32>;
@group(0) @binding(3) var<storage, read> correlation: array<f32>;
@group(0) @binding(4) var<storage, read> inverseErrorStd: array<f32>;
@group(0) @binding(5) var<storage, read_write> matrix: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  let a = i / LANES;
  let p = parameters.observations;
  if (a >= p) {
    return;
  }
  if (inverseErrorStd[a] == 0.0) {
    return;
  }
  for (var k = indptr[a] + i % LANES; k < indptr[a + 1u]; k += LANES) {
    let b = indices[k];
    if (b == a || inverseErrorStd[b] == 0.0) {
      continue;
    }
    matrix[a * p + b] += correlation[k];
    matrix[b * p + a] += correlation[k];
  }
}
