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
