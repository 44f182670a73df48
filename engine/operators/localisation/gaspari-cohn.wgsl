// The fifth-order compactly supported correlation function of Gaspari and Cohn (1999), eq. 4.10, as localisation weight.

/// The weight at z = distance / half-width >= 0: 1 at 0, 5/24 at 1, exactly 0 from 2 on. The outer branch has its fourfold
/// root at 2 taken out, so that small weights keep their digits and none is negative.
fn gaspariCohn(z: f32) -> f32 {
  let inner = 1.0 - z * z * (5.0 / 3.0 - z * (0.625 + z * (0.5 - 0.25 * z)));
  let outside = max(z, 1.0);
  let toEdge = max(2.0 - outside, 0.0) * max(2.0 - outside, 0.0);
  let outer = toEdge * toEdge * (outside * (outside + 2.0) - 0.5) / (12.0 * outside);
  return select(outer, inner, z <= 1.0);
}
