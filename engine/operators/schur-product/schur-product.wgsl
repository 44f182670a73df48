// A plane of the output is a sum of products of planes: anomalies, a stride apart, with those of the input in their order (sums.ts).
// Bindings: 0 parameters, 1 anomalies [members][variables][cells], 2 input [terms][cells], 3 output [elements].
// Workgroup: 256 invocations, one an element of the output, folded into x and y. Invocations past the end do nothing.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> anomalies: array<f32>;
@group(0) @binding(2) var<storage, read> source: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.elements) {
    return;
  }
  let plane = i / parameters.cells;
  let cell = i % parameters.cells;
  var anomaly = plane * parameters.anomalyPlane * parameters.cells + cell;
  var weight = cell;
  var sum = 0.0;
  for (var term = 0u; term < parameters.terms; term++) {
    sum += anomalies[anomaly] * source[weight];
    anomaly += parameters.anomalyTerm * parameters.cells;
    weight += parameters.cells;
  }
  result[i] = sum;
}
