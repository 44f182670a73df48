// The entries of R^-1/2 H'(x): for each component that the observation depends on, its derivative times the four weights
// (formulas: observation.ts). The derivative of speed at rest is taken as 0.
// Workgroup: 64 observations. Empty rows are left alone.

/// Derivatives by the components that the observation depends on, in their order.
fn velocitySlopes(what: u32, observation: u32) -> vec3f {
  let h = interpolated(0u, observation) + offset[observation];
  let flow = vec2f(
    interpolated(parameters.plane, observation),
    interpolated(2u * parameters.plane, observation),
  );
  let size = observedMomentum(what, flow);
  let reciprocal = reciprocalDepth(h);
  let byDepth = reciprocalDepthSlope(h) * size;
  if (what == velocityX || what == velocityY) {
    return vec3f(byDepth, reciprocal, 0.0);
  }
  var heading = vec2f(0.0);
  if (size > 0.0) {
    heading = flow / size;
  }
  return vec3f(byDepth, reciprocal * heading);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let observation = linearIndex(id, groups, 64u);
  if (observation >= parameters.observations) {
    return;
  }
  let what = kind[observation];
  var slopes = vec3f(1.0);
  if (what >= velocityX) {
    slopes = velocitySlopes(what, observation);
  }
  slopes *= inverseErrorStd[observation];
  let first = indptr[observation];
  for (var entry = first; entry < indptr[observation + 1u]; entry++) {
    let place = entry - first;
    data[entry] = slopes[place >> 2u] * weights[4u * observation + (place & 3u)];
  }
}
