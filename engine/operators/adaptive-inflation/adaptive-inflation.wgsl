// Kernels of inflation that adapts itself.

// == estimate ==
// One inflation factor from the innovations of a cycle: T = sum r^2 variance / rho, rho_o from d (or from the ratio of Desroziers),
// and a scalar Kalman update of rho [miyoshi2011; desroziers2005] (index.ts has the formula).
// One workgroup of 256 invocations: observations are few. Each adds every 256th, then pairwise. Needs library/reduction.wgsl.
// Boundary: by the loop.

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
  var laneCount = 0.0;
  var laneStated = 0.0;
  var laneFound = 0.0;
  for (var j = lane; j < parameters.observations; j += 256u) {
    let r = inverseErrorStd[j];
    if (r > 0.0) {
      let d = r * innovation[j];
      laneCount += 1.0;
      laneStated += r * r * variance[j];
      laneFound += select(d * d - 1.0, d * (d - r * residual[j]), parameters.ratio != 0u);
    }
  }
  let count = workgroupSum(laneCount, lane);
  let stated = workgroupSum(laneStated, lane);
  let found = workgroupSum(laneFound, lane);
  if (lane == 0u && stated > 0.0) {
    let prior = factor[0];
    let scale = select(prior * (stated + count) / stated, prior, parameters.ratio != 0u);
    let gain = parameters.priorVariance / (parameters.priorVariance + 2.0 / count * scale * scale);
    factor[0] = clamp(prior + gain * (prior * found / stated - prior), parameters.least, parameters.most);
  }
}

// == at-places ==
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
