// y = H(x) for every member: interpolate, then the component, or the velocity, or its size (formulas: observation.ts).
// Bindings: 0 parameters, 1 state [batch][variables][plane], 2 corners [observations][4], 3 weights [observations][4],
// 4 kind, 5 offset, 6 output [batch][observations].
// Workgroup: 64 observations of one member; z is the member.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> state: array<f32>;
@group(0) @binding(2) var<storage, read> corners: array<u32>;
@group(0) @binding(3) var<storage, read> weights: array<f32>;
@group(0) @binding(4) var<storage, read> kind: array<u32>;
@group(0) @binding(5) var<storage, read> offset: array<f32>;
@group(0) @binding(6) var<storage, read_write> output: array<f32>;

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
