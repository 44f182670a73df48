// Drops that fall on states (index.ts).
// Workgroup: 256 invocations along the cells of a plane; workgroups along z are the states. Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let cell = linearIndex(id, groups, 256u);
  if (cell >= parameters.nx * parameters.ny) {
    return;
  }
  let i = cell % parameters.nx;
  let j = cell / parameters.nx;
  let first = id.z * parameters.drops;
  var sum = 0.0;
  for (var d = first; d < first + parameters.drops; d++) {
    sum = fma(across[d * parameters.ny + j], along[d * parameters.nx + i], sum);
  }
  ensemble[(parameters.first + id.z) * parameters.stride + cell] += sum - levels[id.z] * water[cell];
}
