// A ← A + (C − I) among the observations that are used (index.ts): an entry of C below the diagonal goes to its element of A and to
// the mirror image, which nobody else writes.
// Workgroup: 256 invocations, 32 a row of C, folded into x and y. Invocations of rows past the last one do nothing.

const LANES = 32u;

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
