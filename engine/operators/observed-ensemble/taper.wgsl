// The taper between two places, for kernels that declare `parameters` with nx, ny, periodicX, periodicY, aspect, halfWidth.
// Needs library/gaspari-cohn.wgsl.

/// A difference along an axis, the shorter way round where it is periodic.
fn shortest(difference: f32, size: u32, periodic: u32) -> f32 {
  let period = f32(size);
  return select(difference, difference - period * round(difference / period), periodic == 1u);
}

fn taperOf(difference: vec2f) -> f32 {
  let x = shortest(difference.x, parameters.nx, parameters.periodicX);
  let y = parameters.aspect * shortest(difference.y, parameters.ny, parameters.periodicY);
  return gaspariCohn(length(vec2f(x, y)) / parameters.halfWidth);
}
