// What one sampled cell of one scored variable adds to the rows of sampled-scores.ts: [scored][rows][sampled]. Members are not
// sorted: the rank of each and its successor are found by comparing it with all, equal ones in their order.
// Workgroup: 64 invocations along the sampled cells; z is the scored variable. Boundary: guarded.

// The struct Parameters is made of its description in webgpu.ts.
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

fn cellOf(sample: u32) -> u32 {
  let x = (sample % parameters.sampledX) * parameters.strideX;
  let y = (sample / parameters.sampledX) * parameters.strideY;
  return y * parameters.nx + x;
}

/// ½ of the mean over the sampled cells of w′ |t − t′|.
fn uncertaintyAt(plane: u32, t: f32) -> f32 {
  var sum = 0.0;
  for (var sample = 0u; sample < parameters.sampled; sample++) {
    let cell = cellOf(sample);
    sum += weight[cell] * abs(truth[plane + cell] - t);
  }
  return 0.5 * sum / f32(parameters.sampled);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let sample = id.x;
  if (sample >= parameters.sampled) {
    return;
  }
  let k = parameters.members;
  let stride = parameters.sampled;
  let base = id.z * parameters.rows * stride + sample;
  for (var row = 0u; row < parameters.rows; row++) {
    terms[base + row * stride] = 0.0;
  }
  let cell = cellOf(sample);
  let w = weight[cell];
  if (w == 0.0) {
    return;
  }
  let variable = scored[id.z];
  let plane = variable * parameters.cells;
  let t = truth[plane + cell];
  let single = 2u * (k + 1u);
  var mean = 0.0;
  for (var l = 0u; l < k; l++) {
    let error = ensemble[l * parameters.state + plane + cell] - t;
    mean += error;
    var rank = 0u;
    var next = LARGEST;
    for (var m = 0u; m < k; m++) {
      let other = ensemble[m * parameters.state + plane + cell] - t;
      let isBefore = other < error || (other == error && m < l);
      rank += select(0u, 1u, isBefore);
      if (!isBefore && m != l) {
        next = min(next, other);
      }
    }
    if (rank == 0u && error > 0.0) {
      terms[base + single * stride] = w;
      terms[base + (k + 1u) * stride] = w * error;
    }
    if (rank == k - 1u) {
      if (error < 0.0) {
        terms[base + (single + 1u) * stride] = w;
        terms[base + k * stride] = -w * error;
      }
    } else {
      let within = min(max(0.0, error), next);
      terms[base + (rank + 1u) * stride] = w * (within - error);
      terms[base + (k + 2u + rank) * stride] = w * (next - within);
    }
  }
  mean /= f32(k);
  var variance = 0.0;
  for (var l = 0u; l < k; l++) {
    let anomaly = ensemble[l * parameters.state + plane + cell] - t - mean;
    variance += anomaly * anomaly;
  }
  variance /= f32(k - 1u);
  var bin = 0u;
  for (var edge = 0u; edge + 1u < parameters.bins; edge++) {
    bin += select(0u, 1u, variance >= edges[edge] * meanVariance[variable]);
  }
  terms[base + (single + 2u) * stride] = w * uncertaintyAt(plane, t);
  terms[base + (single + 3u) * stride] = w;
  terms[base + (single + 4u + bin) * stride] = w;
  terms[base + (single + 4u + parameters.bins + bin) * stride] = w * variance;
  terms[base + (single + 4u + 2u * parameters.bins + bin) * stride] = w * mean * mean;
}
