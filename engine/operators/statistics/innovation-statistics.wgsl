// Count, mean, variance and mean normalised square r²d²/(1 + r²σ_b²) of the innovations with r = 1/σₒ > 0, and the number rejected.
// One workgroup of 256 invocations: observations are few. Each adds every 256th, then pairwise; the variance is taken about
// the mean in a second pass. Needs library/reduction.wgsl. Boundary: by the loops.

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
  var laneCount = 0.0;
  var laneRejected = 0.0;
  var laneSum = 0.0;
  for (var j = lane; j < parameters.observations; j += 256u) {
    if (inverseErrorStd[j] > 0.0) {
      laneCount += 1.0;
      laneSum += innovation[j];
    } else if (originalInverseErrorStd[j] > 0.0) {
      laneRejected += 1.0;
    }
  }
  let count = workgroupSum(laneCount, lane);
  let rejected = workgroupSum(laneRejected, lane);
  let mean = workgroupSum(laneSum, lane) / max(1.0, count);

  var laneSquares = 0.0;
  var laneNormalised = 0.0;
  for (var j = lane; j < parameters.observations; j += 256u) {
    let r = inverseErrorStd[j];
    if (r > 0.0) {
      let difference = innovation[j] - mean;
      let scaled = r * innovation[j];
      laneSquares += difference * difference;
      laneNormalised += scaled * scaled / (1.0 + r * r * backgroundVariance[j]);
    }
  }
  let squares = workgroupSum(laneSquares, lane);
  let normalised = workgroupSum(laneNormalised, lane);
  if (lane == 0u) {
    report[0] = count;
    report[1] = mean;
    report[2] = squares / max(1.0, count - 1.0);
    report[3] = normalised / max(1.0, count);
    report[4] = rejected;
  }
}
