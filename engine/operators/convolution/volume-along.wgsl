// A pass along the rows of a volume [magic-filter]: out(i₁, i₂, i₃) = Σ_j ω_j in(i₁, i₂, i₃ + j).
// Bindings: those of volume-singles.wgsl or volume-quads.wgsl.
// Workgroup: LANES × ROWS invocations, four neighbouring points of a row each. What neighbours read too comes from the cache.
// Boundary: a row repeats itself; it has at least 16 points.

override LANES: u32 = 32u;
override ROWS: u32 = 4u;

@compute @workgroup_size(LANES, ROWS)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let x = 4u * id.x;
  if (x >= parameters.n3 || id.y >= parameters.n2) {
    return;
  }
  let row = (id.z * parameters.n2 + id.y) * parameters.n3;
  keepQuad(row, x, alongRow(row, x));
}
