// Kernels of the departure products and the sampled scores.

// == departure-means ==
// Of each group its count of used observations and the means of the six products, from the sums of `departure-products`.
// Needs library/vector-reduction.wgsl. Workgroup: 256 invocations for at most as many parts; x is the group. Boundary: guarded.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> sums: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> products: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  var first = vec4f();
  var second = vec4f();
  if (lane < parameters.parts) {
    let at = 2u * (group.x * parameters.parts + lane);
    first = sums[at];
    second = sums[at + 1u];
  }
  let products1 = workgroupSums(first, lane);
  let products2 = workgroupSums(second, lane);
  if (lane < 7u) {
    let total = select(products1[lane % 4u], products2[lane % 4u], lane >= 4u);
    products[group.x * 7u + lane] = select(total / max(1.0, products1.x), total, lane == 0u);
  }
}

// == departure-products ==
// Partial sums of 1, r²d_b², r²d_a d_b, r²(d_b − d_a)d_b, r²(d_b − d_a)d_a, r²σ_b² and r²σ_a², r = 1/σₒ > 0, over the used observations
// of a group: [groups][parts][2] of four. Needs library/vector-reduction.wgsl.
// Workgroup: 256 invocations for a part of the observations; y is the group. Boundary: by the loop.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> groupOf: array<u32>;
@group(0) @binding(2) var<storage, read> innovation: array<f32>;
@group(0) @binding(3) var<storage, read> residual: array<f32>;
@group(0) @binding(4) var<storage, read> inverseErrorStd: array<f32>;
@group(0) @binding(5) var<storage, read> backgroundVariance: array<f32>;
@group(0) @binding(6) var<storage, read> analysisVariance: array<f32>;
@group(0) @binding(7) var<storage, read_write> sums: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  var products = vec4f();
  var others = vec4f();
  for (var j = group.x * 256u + lane; j < parameters.observations; j += parameters.parts * 256u) {
    let r = inverseErrorStd[j];
    if (r > 0.0 && groupOf[j] == group.y) {
      let db = r * innovation[j];
      let da = r * residual[j];
      products += vec4f(1.0, db * db, da * db, (db - da) * db);
      others += vec4f((db - da) * da, r * r * backgroundVariance[j], r * r * analysisVariance[j], 0.0);
    }
  }
  let first = workgroupSums(products, lane);
  let second = workgroupSums(others, lane);
  if (lane == 0u) {
    let at = 2u * (group.y * parameters.parts + group.x);
    sums[at] = first;
    sums[at + 1u] = second;
  }
}

// == sampled-scores ==
// What one sampled cell of one scored variable adds to the rows of index.ts: [scored][rows][sampled]. Members are not
// sorted: the rank of each and its successor are found by comparing it with all, equal ones in their order.
// Workgroup: 64 invocations for one cell, the members dealt out among them; z is the scored variable. Boundary: guarded.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> truth: array<f32>;
@group(0) @binding(3) var<storage, read> weight: array<f32>;
@group(0) @binding(4) var<storage, read> meanVariance: array<f32>;
@group(0) @binding(5) var<storage, read> scored: array<u32>;
/// Squares of the edges between the bins of spread.
@group(0) @binding(6) var<storage, read> edges: array<f32>;
@group(0) @binding(7) var<storage, read_write> terms: array<f32>;

const LARGEST = 3.4e38;
const LANES = 64u;

/// Errors of the members that all are being compared with.
var<workgroup> others: array<f32, LANES>;
var<workgroup> partialSums: array<f32, LANES>;

/// The sum over the workgroup, pairwise. Must be reached by all of it.
fn sumOver(value: f32, lane: u32) -> f32 {
  partialSums[lane] = value;
  workgroupBarrier();
  for (var reach = LANES / 2u; reach > 0u; reach >>= 1u) {
    if (lane < reach) {
      partialSums[lane] += partialSums[lane + reach];
    }
    workgroupBarrier();
  }
  let total = partialSums[0];
  workgroupBarrier();
  return total;
}

fn cellOf(sample: u32) -> u32 {
  let x = (sample % parameters.sampledX) * parameters.strideX;
  let y = (sample / parameters.sampledX) * parameters.strideY;
  return y * parameters.nx + x;
}

/// ½ of the mean over the sampled cells of w′ |t − t′|.
fn uncertaintyAt(plane: u32, t: f32, lane: u32) -> f32 {
  var sum = 0.0;
  for (var sample = lane; sample < parameters.sampled; sample += LANES) {
    let cell = cellOf(sample);
    sum += weight[cell] * abs(truth[plane + cell] - t);
  }
  return 0.5 * sumOver(sum, lane) / f32(parameters.sampled);
}

/// A member among the others.
struct Gap {
  base: u32,
  stride: u32,
  rank: u32,
  error: f32,
  next: f32,
  weight: f32,
}

/// The gap from a member to the one after it, and those outside all.
fn storeGaps(gap: Gap, k: u32) {
  let single = 2u * (k + 1u);
  let w = gap.weight;
  if (gap.rank == 0u && gap.error > 0.0) {
    terms[gap.base + single * gap.stride] = w;
    terms[gap.base + (k + 1u) * gap.stride] = w * gap.error;
  }
  if (gap.rank == k - 1u) {
    if (gap.error < 0.0) {
      terms[gap.base + (single + 1u) * gap.stride] = w;
      terms[gap.base + k * gap.stride] = -w * gap.error;
    }
  } else {
    let within = min(max(0.0, gap.error), gap.next);
    terms[gap.base + (gap.rank + 1u) * gap.stride] = w * (within - gap.error);
    terms[gap.base + (k + 2u + gap.rank) * gap.stride] = w * (gap.next - within);
  }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let sample = group.x;
  let k = parameters.members;
  let stride = parameters.sampled;
  let base = group.z * parameters.rows * stride + sample;
  for (var row = lane; row < parameters.rows; row += LANES) {
    terms[base + row * stride] = 0.0;
  }
  storageBarrier();
  let cell = cellOf(sample);
  let w = weight[cell];
  let variable = scored[group.z];
  let plane = variable * parameters.cells;
  let t = truth[plane + cell];
  let single = 2u * (k + 1u);
  var errors = 0.0;
  for (var first = 0u; first < k; first += LANES) {
    let l = first + lane;
    let isMember = l < k;
    let error = ensemble[min(l, k - 1u) * parameters.state + plane + cell] - t;
    errors += select(0.0, error, isMember);
    var rank = 0u;
    var next = LARGEST;
    for (var start = 0u; start < k; start += LANES) {
      others[lane] = ensemble[min(start + lane, k - 1u) * parameters.state + plane + cell] - t;
      workgroupBarrier();
      let end = min(LANES, k - start);
      for (var index = 0u; index < end; index++) {
        let m = start + index;
        let other = others[index];
        let isBefore = other < error || (other == error && m < l);
        rank += select(0u, 1u, isBefore);
        next = select(next, min(next, other), !isBefore && m != l);
      }
      workgroupBarrier();
    }
    if (isMember && w > 0.0) {
      storeGaps(Gap(base, stride, rank, error, next, w), k);
    }
  }
  let mean = sumOver(errors, lane) / f32(k);
  var squares = 0.0;
  for (var l = lane; l < k; l += LANES) {
    let anomaly = ensemble[l * parameters.state + plane + cell] - t - mean;
    squares += anomaly * anomaly;
  }
  let variance = sumOver(squares, lane) / f32(k - 1u);
  let uncertainty = uncertaintyAt(plane, t, lane);
  if (lane != 0u || w == 0.0) {
    return;
  }
  var bin = 0u;
  for (var edge = 0u; edge + 1u < parameters.bins; edge++) {
    bin += select(0u, 1u, variance >= edges[edge] * meanVariance[variable]);
  }
  terms[base + (single + 2u) * stride] = w * uncertainty;
  terms[base + (single + 3u) * stride] = w;
  terms[base + (single + 4u + bin) * stride] = w;
  terms[base + (single + 4u + parameters.bins + bin) * stride] = w * variance;
  terms[base + (single + 4u + 2u * parameters.bins + bin) * stride] = w * mean * mean;
}
