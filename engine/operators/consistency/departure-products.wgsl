// Of each group its count of used observations and the means of r²d_b², r²d_a d_b, r²(d_b − d_a)d_b, r²(d_b − d_a)d_a, r²σ_b² and
// r²σ_a², r = 1/σₒ > 0. A workgroup of 256 invocations for each group: observations are few. Each adds every 256th, then
// pairwise. Needs library/reduction.wgsl. Boundary: by the loop.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> groupOf: array<u32>;
@group(0) @binding(2) var<storage, read> innovation: array<f32>;
@group(0) @binding(3) var<storage, read> residual: array<f32>;
@group(0) @binding(4) var<storage, read> inverseErrorStd: array<f32>;
@group(0) @binding(5) var<storage, read> backgroundVariance: array<f32>;
@group(0) @binding(6) var<storage, read> analysisVariance: array<f32>;
@group(0) @binding(7) var<storage, read_write> products: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  var sums: array<f32, 7>;
  for (var j = lane; j < parameters.observations; j += 256u) {
    let r = inverseErrorStd[j];
    if (r > 0.0 && groupOf[j] == group.x) {
      let db = r * innovation[j];
      let da = r * residual[j];
      sums[0] += 1.0;
      sums[1] += db * db;
      sums[2] += da * db;
      sums[3] += (db - da) * db;
      sums[4] += (db - da) * da;
      sums[5] += r * r * backgroundVariance[j];
      sums[6] += r * r * analysisVariance[j];
    }
  }
  var count = 1.0;
  for (var i = 0u; i < 7u; i++) {
    let total = workgroupSum(sums[i], lane);
    if (i == 0u) {
      count = max(1.0, total);
    }
    if (lane == 0u) {
      products[group.x * 7u + i] = select(total / count, total, i == 0u);
    }
  }
}
