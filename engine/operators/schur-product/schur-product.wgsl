// A plane of the output is a sum of products of planes: anomalies, a stride apart, with those of the input in their order (index.ts).
// Workgroup: 256 invocations, one an element of the output, folded into x and y. Invocations past the end do nothing.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.planes * parameters.cells) {
    return;
  }
  let plane = i / parameters.cells;
  let cell = i % parameters.cells;
  var anomaly = plane * parameters.anomalyPlane * parameters.cells + cell;
  var weight = cell;
  var sum = 0.0;
  for (var term = 0u; term < parameters.terms; term++) {
    sum += anomalies[anomaly] * input[weight];
    anomaly += parameters.anomalyTerm * parameters.cells;
    weight += parameters.cells;
  }
  output[i] = sum;
}
