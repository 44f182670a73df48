// Partial sums over 256 cells of 1, h + bed and h of the wet ones, of each state: [3][3][parts]. Needs library/reduction.wgsl and
// water-library.wgsl. Workgroup: 256 invocations along the cells, parts folded into x and y; z is the state. Boundary: adds 0.

@group(0) @binding(5) var<storage, read_write> sums: array<f32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.y * groups.x;
  let cell = part * 256u + lane;
  var terms = vec3f();
  if (cell < parameters.nx * parameters.ny) {
    let h = depthAt(group.z, cell);
    if (h > parameters.dryDepth) {
      terms = vec3f(1.0, h + bed[cell], h);
    }
  }
  for (var row = 0u; row < 3u; row++) {
    let total = workgroupSum(terms[row], lane);
    if (lane == 0u && part < parameters.parts) {
      sums[(group.z * 3u + row) * parameters.parts + part] = total;
    }
  }
}
