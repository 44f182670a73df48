// First stage: the extremes of 256 cells of one variable over all members, as ordered keys. Needs extremes-library.wgsl.
// Workgroup: 256 invocations along the cells; parts are folded into x and y, variables are along z.
// Boundary: cells that are not there count for nothing; parts that are not there are not stored.

// The struct Parameters is made of its description in webgpu-extremes.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
/// Bits of the numbers.
@group(0) @binding(1) var<storage, read> ensemble: array<u32>;
/// [variables][parts]
@group(0) @binding(2) var<storage, read_write> parts: array<Extremes>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.y * groups.x;
  let cell = part * 256u + lane;
  var own = NONE;
  if (cell < parameters.cells) {
    for (var l = 0u; l < parameters.members; l++) {
      let at = (l * parameters.variables + group.z) * parameters.cells + cell;
      own = merged(own, extremesOf(ensemble[at]));
    }
  }
  let found = workgroupExtremes(own, lane);
  if (lane == 0u && part < parameters.parts) {
    parts[group.z * parameters.parts + part] = found;
  }
}
