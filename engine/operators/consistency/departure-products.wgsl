// Partial sums of 1, r²d_b², r²d_a d_b, r²(d_b − d_a)d_b, r²(d_b − d_a)d_a, r²σ_b² and r²σ_a², r = 1/σₒ > 0, over the used observations
// of a group: [groups][parts][2] of four. Needs library/vector-reduction.wgsl.
// Workgroup: 256 invocations for a part of the observations; y is the group. Boundary: by the loop.

// The struct Parameters is made of its description in webgpu.ts.
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
