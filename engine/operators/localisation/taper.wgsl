// The taper between two places, for kernels that declare `parameters` with nx, ny, periodicX, periodicY, aspect, halfWidthCells.
// Needs gaspari-cohn.wgsl and shortest.wgsl.

fn taperOf(difference: vec2f) -> f32 {
  let x = shortest(difference.x, parameters.nx, parameters.periodicX);
  let y = parameters.aspect * shortest(difference.y, parameters.ny, parameters.periodicY);
  return gaspariCohn(length(vec2f(x, y)) / parameters.halfWidthCells);
}
