// Bilinear interpolation from the four corners of an observation.
// The kernel declares `state`, `corners` and `weights`.

/// The component whose plane begins at `base`, at the observation's point.
fn interpolated(base: u32, observation: u32) -> f32 {
  let corner = 4u * observation;
  return weights[corner] * state[base + corners[corner]] +
    weights[corner + 1u] * state[base + corners[corner + 1u]] +
    weights[corner + 2u] * state[base + corners[corner + 2u]] +
    weights[corner + 3u] * state[base + corners[corner + 3u]];
}
