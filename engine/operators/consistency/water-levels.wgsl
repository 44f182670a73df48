// Partial sums over cells of 1, h + bed and h of the wet ones, of each state: [3][parts]. Needs library/vector-reduction.wgsl and
// water-library.wgsl. Workgroup: 256 invocations, at most as many of them along the cells as levelsOf takes; z is the state.
// Boundary: by the loop.

@group(0) @binding(5) var<storage, read_write> sums: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  var terms = vec4f();
  for (var cell = group.x * 256u + lane; cell < parameters.nx * parameters.ny; cell += parameters.levelParts * 256u) {
    let h = depthAt(group.z, cell);
    if (h > parameters.dryDepth) {
      terms += vec4f(1.0, h + bed[cell], h, 0.0);
    }
  }
  let total = workgroupSums(terms, lane);
  if (lane == 0u) {
    sums[group.z * parameters.levelParts + group.x] = total;
  }
}
