// The entries of R^-1/2 H'(x): for each component that the observation depends on, its derivative times the four weights
// (formulas: observation.ts). The derivative of speed at rest is taken as 0.
// Bindings: 0 parameters, 1 state [variables][plane], 2 corners [observations][4], 3 weights [observations][4], 4 kind,
// 5 offset, 6 inverseErrorStd, 7 indptr [observations + 1], 8 data.
// Workgroup: 64 observations. Empty rows are left alone.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> state: array<f32>;
@group(0) @binding(2) var<storage, read> corners: array<u32>;
@group(0) @binding(3) var<storage, read> weights: array<f32>;
@group(0) @binding(4) var<storage, read> kind: array<u32>;
@group(0) @binding(5) var<storage, read> offset: array<f32>;
@group(0) @binding(6) var<storage, read> inverseErrorStd: array<f32>;
@group(0) @binding(7) var<storage, read> indptr: array<u32>;
@group(0) @binding(8) var<storage, read_write> data: array<f32>;

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
