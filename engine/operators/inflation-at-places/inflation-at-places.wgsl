// What the members see, inflated by the factor of the nearest grid point (index.ts has the formula). Needs library/index.wgsl.
// Workgroup: 64 observations. Boundary: guarded; places beyond a wall take the last point's factor, round a periodic axis the next one's.

fn nearest(place: f32, count: u32, periodic: u32) -> u32 {
  let at = i32(floor(place + 0.5));
  let n = i32(count);
  return u32(select(clamp(at, 0, n - 1), ((at % n) + n) % n, periodic != 0u));
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let j = linearIndex(id, groups, 64u);
  if (j >= parameters.observations) {
    return;
  }
  let x = nearest(positionX[j] * parameters.inverseX, parameters.nx, parameters.periodicX);
  let y = nearest(positionY[j] * parameters.inverseY, parameters.ny, parameters.periodicY);
  let root = sqrt(factor[y * parameters.nx + x]);
  let first = ensemble[j];
  var sum = 0.0;
  for (var l = 1u; l < parameters.members; l++) {
    sum += ensemble[l * parameters.observations + j] - first;
  }
  let mean = first + sum / f32(parameters.members);
  for (var l = 0u; l < parameters.members; l++) {
    let at = l * parameters.observations + j;
    ensemble[at] = mean + root * (ensemble[at] - mean);
  }
}
