// Kernels of observations: H, its tangent linear, and departures.

// == velocity ==
// From depth and momentum to velocity, harmless on dry ground [kurganov2007]: below the depth ε, with t = h/ε,
// ρ(h) = √2 t / (ε √(1 + t⁴)) replaces 1/h, and is 0 where h ≤ 0.

override velocityX: u32;
override velocityY: u32;
/// ε, metres.
override dryDepth: f32;

fn reciprocalDepth(h: f32) -> f32 {
  if (h >= dryDepth) {
    return 1.0 / h;
  }
  let t = max(h, 0.0) / dryDepth;
  return 1.41421356 * t / (dryDepth * sqrt(1.0 + t * t * t * t));
}

/// The derivative of reciprocalDepth; 0 where h ≤ 0.
fn reciprocalDepthSlope(h: f32) -> f32 {
  if (h >= dryDepth) {
    return -1.0 / (h * h);
  }
  if (h <= 0.0) {
    return 0.0;
  }
  let t = h / dryDepth;
  let t4 = t * t * t * t;
  return 1.41421356 * (1.0 - t4) / (dryDepth * dryDepth * (1.0 + t4) * sqrt(1.0 + t4));
}

/// What of the momentum is observed: a component, or its size.
fn observedMomentum(kind: u32, flow: vec2f) -> f32 {
  if (kind == velocityX) {
    return flow.x;
  }
  if (kind == velocityY) {
    return flow.y;
  }
  return length(flow);
}

// == stencil ==
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

// == observation ==
// y = H(x) for every member: interpolate, then the component, or the velocity, or its size (formulas: observation.ts).
// Workgroup: 64 observations of one member; z is the member.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let observation = linearIndex(id, groups, 64u);
  if (observation >= parameters.observations) {
    return;
  }
  let base = id.z * parameters.variables * parameters.plane;
  let what = kind[observation];
  let velocity = what >= velocityX;
  let component = select(what, 0u, velocity);
  var seen = interpolated(base + component * parameters.plane, observation) + offset[observation];
  if (velocity) {
    let flow = vec2f(
      interpolated(base + parameters.plane, observation),
      interpolated(base + 2u * parameters.plane, observation),
    );
    seen = reciprocalDepth(seen) * observedMomentum(what, flow);
  }
  output[id.z * parameters.observations + observation] = seen;
}

// == linearisation ==
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

// == tangent-variance ==
// σ_b² = Σ_c Σ_c′ s_c s_c′ Q_cc′ with s_c the sum of the four entries of H′ for component c (formula: departure.ts).
// Workgroup: 64 observations. Boundary: guarded; an empty row has variance 0.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 64u);
  if (j >= parameters.observations) {
    return;
  }
  var s = vec3f();
  let first = indptr[j];
  for (var entry = first; entry < indptr[j + 1u]; entry++) {
    s[(entry - first) >> 2u] += data[entry];
  }
  let q = 6u * j;
  let own = vec3f(covariance[q], covariance[q + 1u], covariance[q + 2u]);
  let between = vec3f(covariance[q + 3u], covariance[q + 4u], covariance[q + 5u]);
  variance[j] = dot(s * s, own) + 2.0 * dot(s.xxy * s.yzz, between);
}

// == measurement ==
// y = H(x) + σ ε, or the value that is given.
// Workgroup: 64 observations.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 64u);
  if (j >= parameters.observations) {
    return;
  }
  values[j] = select(term[j], observed[j] + term[j] * normal[j], isGiven[j] == 0u);
}

// == innovation ==
// d = y - H(x), and R^-1/2 d; both exactly 0 where the inverse deviation is 0.
// Workgroup: 64 observations.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 64u);
  if (j >= parameters.observations) {
    return;
  }
  let r = inverseErrorStd[j];
  let d = select(values[j] - observed[j], 0.0, r == 0.0);
  innovation[j] = d;
  scaled[j] = r * d;
}

// == believed-innovation ==
// d = y - H(x), effective = r where n = 0 or r |d| <= n √(1 + r² σ_b²), 0 elsewhere, r = 1/σ_o; d and effective d, 0 where that is 0.
// No r is above sharpest/max(σ_b, |d|), where single precision would end.
// Workgroup: 64 observations.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 64u);
  if (j >= parameters.observations) {
    return;
  }
  let r = inverseErrorStd[j];
  let n = threshold[j];
  let d = select(values[j] - observed[j], 0.0, r == 0.0);
  let believed = n == 0.0 || r * abs(d) <= n * sqrt(1.0 + r * r * variance[j]);
  let scale = max(sqrt(variance[j]), abs(d));
  var taken = select(0.0, r, believed);
  if (believed && r * scale > parameters.sharpest) {
    taken = parameters.sharpest / scale;
  }
  let departure = select(d, 0.0, taken == 0.0);
  effective[j] = taken;
  innovation[j] = departure;
  scaled[j] = taken * departure;
}
