// y = H x for a batch of vectors, H in compressed rows.
// Bindings: 0 parameters, 1 indptr [rows + 1], 2 indices, 3 data, 4 input [batch][columns], 5 output [batch][rows].
// Workgroup: 64 rows of one vector; z is the vector.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> indptr: array<u32>;
@group(0) @binding(2) var<storage, read> indices: array<u32>;
@group(0) @binding(3) var<storage, read> data: array<f32>;
@group(0) @binding(4) var<storage, read> input: array<f32>;
@group(0) @binding(5) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let row = linearIndex(id, groups, 64u);
  if (row >= parameters.rows) {
    return;
  }
  let base = id.z * parameters.columns;
  var sum = 0.0;
  for (var entry = indptr[row]; entry < indptr[row + 1u]; entry++) {
    sum += data[entry] * input[base + indices[entry]];
  }
  output[id.z * parameters.rows + row] = sum;
}
