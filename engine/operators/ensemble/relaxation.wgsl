// The analysis' anomalies relaxed towards the background's [whitaker2012], the mean kept, in place:
//   RTPS: x′ᵃ += α (σᵇ − σᵃ)/σᵃ · x′ᵃ, nothing where σᵃ = 0;   RTPP: x′ᵃ += α (x′ᵇ − x′ᵃ).
// Needs moments.wgsl (for the analysis, `ensemble`).
// Workgroup: 256 invocations along i, each the owner of its element in all members. Boundary: guarded.

override RELAX_SPREAD: bool;

fn backgroundMeanAt(i: u32) -> f32 {
  let first = background[i];
  var sum = 0.0;
  for (var l = 1u; l < parameters.members; l++) {
    sum += background[l * parameters.length + i] - first;
  }
  return first + sum / f32(parameters.members);
}

fn backgroundVarianceAt(i: u32, mean: f32) -> f32 {
  var sum = 0.0;
  for (var l = 0u; l < parameters.members; l++) {
    let anomaly = background[l * parameters.length + i] - mean;
    sum += anomaly * anomaly;
  }
  return sum / f32(max(parameters.members, 2u) - 1u);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  let mean = meanAt(i);
  let backgroundMean = backgroundMeanAt(i);
  var stretch = 0.0;
  if (RELAX_SPREAD) {
    let spread = sqrt(varianceAt(i, mean));
    if (spread > 0.0) {
      stretch = parameters.factor * (sqrt(backgroundVarianceAt(i, backgroundMean)) - spread) / spread;
    }
  }
  for (var l = 0u; l < parameters.members; l++) {
    let at = l * parameters.length + i;
    let anomaly = ensemble[at] - mean;
    if (RELAX_SPREAD) {
      ensemble[at] += stretch * anomaly;
    } else {
      ensemble[at] += parameters.factor * (background[at] - backgroundMean - anomaly);
    }
  }
}
