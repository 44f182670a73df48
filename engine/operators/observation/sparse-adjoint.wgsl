// x = Hᵀ y for a batch of vectors: each column is summed by one owner, through the entries by column.
// Bindings: 0 parameters, 1 columnStart [columns + 1], 2 entryRow, 3 entryPosition, 4 data, 5 input [batch][rows],
// 6 output [batch][columns].
// Workgroup: 64 columns of one vector; z is the vector. Empty columns become 0.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> columnStart: array<u32>;
@group(0) @binding(2) var<storage, read> entryRow: array<u32>;
@group(0) @binding(3) var<storage, read> entryPosition: array<u32>;
@group(0) @binding(4) var<storage, read> data: array<f32>;
@group(0) @binding(5) var<storage, read> input: array<f32>;
@group(0) @binding(6) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let column = linearIndex(id, groups, 64u);
  if (column >= parameters.columns) {
    return;
  }
  let base = id.z * parameters.rows;
  var sum = 0.0;
  for (var entry = columnStart[column]; entry < columnStart[column + 1u]; entry++) {
    sum += data[entryPosition[entry]] * input[base + entryRow[entry]];
  }
  output[id.z * parameters.columns + column] = sum;
}
