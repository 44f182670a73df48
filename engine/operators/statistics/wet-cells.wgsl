// weight = 1 where truth or a member has more water than the dry depth, 0 elsewhere, and how many are wet of each 256 cells.
// Needs library/reduction.wgsl. Workgroup: 256 invocations along the cells; parts are folded into x and y.
// Boundary: cells that are not there add 0; parts that are not there are not stored.

// The struct Parameters is made of its description in webgpu-wet-cells.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> truth: array<f32>;
@group(0) @binding(3) var<storage, read> bed: array<f32>;
@group(0) @binding(4) var<storage, read_write> weight: array<f32>;
@group(0) @binding(5) var<storage, read_write> counts: array<f32>;

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.y * groups.x;
  let cell = part * 256u + lane;
  var wet = 0.0;
  if (cell < parameters.cells) {
    let ground = bed[cell];
    wet = select(0.0, 1.0, truth[cell] - ground > parameters.dryDepth);
    for (var l = 0u; l < parameters.members && wet == 0.0; l++) {
      wet = select(0.0, 1.0, ensemble[l * parameters.state + cell] - ground > parameters.dryDepth);
    }
    weight[cell] = wet;
  }
  let count = workgroupSum(wet, lane);
  if (lane == 0u && part < parameters.parts) {
    counts[part] = count;
  }
}
