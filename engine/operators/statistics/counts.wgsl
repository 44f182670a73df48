// Kernels that count: the rank histogram, and the statistics of innovations.

// == rank-histogram ==
// counts[row][r] += number of thinned wet cells whose truth has the rank r among the members, for each scored variable: the
// members strictly below it, and of those equal to it a random number from 0 to all (pcg3d, Jarzynski and Olano 2020).
// Workgroup: 256 invocations along the thinned cells, folded into x and y; z is the variable's row; counted in workgroup
// memory first. Counts are integers, so atomic additions give the same result in any order. Boundary: guarded.
// Needs library/index.wgsl.

override BINS: u32;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> truth: array<f32>;
@group(0) @binding(3) var<storage, read> weight: array<f32>;
@group(0) @binding(4) var<storage, read> scored: array<u32>;
@group(0) @binding(5) var<storage, read> key: array<u32>;
@group(0) @binding(6) var<storage, read_write> counts: array<atomic<u32>>;

var<workgroup> local: array<atomic<u32>, BINS>;

/// 32 random bits for a counter: the first word of pcg3d.
fn counted(counter: u32) -> u32 {
  var v = vec3u(counter, key[0], key[1]) * 1664525u + 1013904223u;
  v.x += v.y * v.z;
  v.y += v.z * v.x;
  v.z += v.x * v.y;
  v ^= v >> vec3u(16u);
  return v.x + v.y * v.z;
}

/// Members l to l + 3 of an element.
fn fourAt(l: u32, i: u32) -> vec4f {
  let at = l * parameters.state + i;
  let step = parameters.state;
  return vec4f(ensemble[at], ensemble[at + step], ensemble[at + 2u * step], ensemble[at + 3u * step]);
}

fn rankAt(i: u32) -> u32 {
  let t = truth[i];
  var below = 0u;
  var ties = 0u;
  // Eight members are asked for at once: memory answers later than a few of them are counted.
  var l = 0u;
  for (; l + 8u <= parameters.members; l += 8u) {
    let some = array(fourAt(l, i), fourAt(l + 4u, i));
    for (var part = 0u; part < 2u; part++) {
      below += dot(select(vec4u(), vec4u(1u), some[part] < vec4f(t)), vec4u(1u));
      ties += dot(select(vec4u(), vec4u(1u), some[part] == vec4f(t)), vec4u(1u));
    }
  }
  for (; l < parameters.members; l++) {
    let x = ensemble[l * parameters.state + i];
    below += select(0u, 1u, x < t);
    ties += select(0u, 1u, x == t);
  }
  if (ties > 0u) {
    below += counted(i) % (ties + 1u);
  }
  return below;
}

@compute @workgroup_size(256)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var bin = lane; bin < BINS; bin += 256u) {
    atomicStore(&local[bin], 0u);
  }
  workgroupBarrier();
  let index = linearIndex(id, groups, 256u);
  if (index < parameters.thinned) {
    let x = (index % parameters.thinnedX) * parameters.strideX;
    let y = (index / parameters.thinnedX) * parameters.strideY;
    let cell = y * parameters.nx + x;
    if (weight[cell] != 0.0) {
      atomicAdd(&local[rankAt(scored[id.z] * parameters.cells + cell)], 1u);
    }
  }
  workgroupBarrier();
  for (var bin = lane; bin < BINS; bin += 256u) {
    let count = atomicLoad(&local[bin]);
    if (count > 0u) {
      atomicAdd(&counts[id.z * BINS + bin], count);
    }
  }
}

// == innovation-statistics ==
// Count, mean, variance and mean normalised square r²d²/(1 + r²σ_b²) of the innovations with r = 1/σₒ > 0, and the number rejected.
// One workgroup of 256 invocations: observations are few. Each adds every 256th, then pairwise; the variance is taken about
// the mean in a second pass. Needs library/vector-reduction.wgsl. Boundary: by the loops.

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
  let first = workgroupSums(vec4f(laneCount, laneRejected, laneSum, 0.0), lane);
  let count = first.x;
  let mean = first.z / max(1.0, count);

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
  let second = workgroupSums(vec4f(laneSquares, laneNormalised, 0.0, 0.0), lane);
  if (lane == 0u) {
    report[0] = count;
    report[1] = mean;
    report[2] = second.x / max(1.0, count - 1.0);
    report[3] = second.y / max(1.0, count);
    report[4] = first.y;
  }
}

// == wet-weights ==
// weight /= share of the cells that are wet, if there are any. Workgroup: 256 invocations along the cells, guarded.
// Needs library/index.wgsl.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> share: array<f32>;
@group(0) @binding(2) var<storage, read_write> weight: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let cell = linearIndex(id, groups, 256u);
  if (cell < parameters.cells && share[0] > 0.0) {
    weight[cell] /= share[0];
  }
}

// == wet-cells ==
// weight = 1 where truth or a member has more water than the dry depth, 0 elsewhere, and how many are wet of each 256 cells.
// Needs library/reduction.wgsl. Workgroup: 256 invocations along the cells; parts are folded into x and y.
// Boundary: cells that are not there add 0; parts that are not there are not stored.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> truth: array<f32>;
@group(0) @binding(3) var<storage, read> bed: array<f32>;
@group(0) @binding(4) var<storage, read_write> weight: array<f32>;
@group(0) @binding(5) var<storage, read_write> counts: array<f32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.y * groups.x;
  let cell = part * 256u + lane;
  var wet = 0.0;
  if (cell < parameters.cells) {
    let ground = bed[cell];
    wet = select(0.0, 1.0, truth[cell] - ground > parameters.dryDepth);
    for (var l = 0u; l < parameters.members && wet == 0.0; l++) {
      wet = select(0.0, 1.0, ensemble[l * parameters.state + cell] - ground > parameters.dryDepth);
    }
    weight[cell] = wet;
  }
  let count = workgroupSum(wet, lane);
  if (lane == 0u && part < parameters.parts) {
    counts[part] = count;
  }
}
