// means[row] = Σ_part parts[row][part] / count. Needs library/reduction.wgsl.
// Workgroup: 256 invocations for a row, each adding every 256th part, then pairwise. Boundary: by the loop.

// The struct Parameters is made of its description in webgpu-scores.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> parts: array<f32>;
@group(0) @binding(2) var<storage, read_write> means: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) row: vec3u, @builtin(local_invocation_index) lane: u32) {
  var sum = 0.0;
  for (var part = lane; part < parameters.parts; part += 256u) {
    sum += parts[row.x * parameters.parts + part];
  }
  let total = workgroupSum(sum, lane);
  if (lane == 0u) {
    means[row.x] = total / parameters.count;
  }
}
