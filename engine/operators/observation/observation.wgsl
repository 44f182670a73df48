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
