// Moments of element i over the members of `ensemble` [members][length], for kernels that declare it and `parameters`.
// The mean is taken about the first member and the variance about the mean, so that float32 keeps the digits of the spread.

fn meanAt(i: u32) -> f32 {
  let first = ensemble[i];
  var sum = 0.0;
  for (var l = 1u; l < parameters.members; l++) {
    sum += ensemble[l * parameters.length + i] - first;
  }
  return first + sum / f32(parameters.members);
}

/// Divided by members − 1; 0 for a single member.
fn varianceAt(i: u32, mean: f32) -> f32 {
  var sum = 0.0;
  for (var l = 0u; l < parameters.members; l++) {
    let anomaly = ensemble[l * parameters.length + i] - mean;
    sum += anomaly * anomaly;
  }
  return sum / f32(max(parameters.members, 2u) - 1u);
}
