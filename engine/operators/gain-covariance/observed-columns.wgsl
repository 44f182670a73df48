// The sampled columns, scaled: columns[k][l] = h_k · e[column_k, l] / (L − 1) for the entries k of H that this run uses,
// members side by side, filled up with 0 to a multiple of 16, so that the product reads them in whole runs.
// Workgroup: 256 invocations along (k, l). Boundary: entries that are not there are left as they are and never read.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> anomalies: array<f32>;
@group(0) @binding(2) var<storage, read> indptr: array<u32>;
@group(0) @binding(3) var<storage, read> indices: array<u32>;
@group(0) @binding(4) var<storage, read> data: array<f32>;
@group(0) @binding(5) var<storage, read_write> columns: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups, 256u);
  let entry = index / parameters.stride;
  let member = index % parameters.stride;
  let begin = indptr[parameters.firstObservation];
  let end = indptr[parameters.firstObservation + parameters.observations];
  if (entry >= min(parameters.nonzeros, end - begin)) {
    return;
  }
  var value = 0.0;
  if (member < parameters.members) {
    let anomaly = anomalies[member * parameters.state + indices[begin + entry]];
    value = data[begin + entry] * anomaly / f32(parameters.members - 1u);
  }
  columns[index] = value;
}
