// Distances on axes that may be periodic.

/// A difference of coordinates along an axis, the shorter way round where it is periodic.
fn shortest(difference: f32, size: u32, periodic: u32) -> f32 {
  let period = f32(size);
  return select(difference, difference - period * round(difference / period), periodic != 0u);
}
