// counts[r] += number of thinned cells whose truth has r members strictly below it, for the first variable.
// Workgroup: 256 invocations along the thinned cells, folded into x and y; counted in workgroup memory first. Counts are
// integers, so atomic additions give the same result in any order. Boundary: guarded. Needs library/index.wgsl.

override BINS: u32;

struct Parameters {
  members: u32,
  /// Elements of a member.
  state: u32,
  nx: u32,
  strideX: u32,
  strideY: u32,
  thinnedX: u32,
  thinned: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> truth: array<f32>;
@group(0) @binding(3) var<storage, read_write> counts: array<atomic<u32>>;

var<workgroup> local: array<atomic<u32>, BINS>;

fn rankAt(cell: u32) -> u32 {
  let t = truth[cell];
  var rank = 0u;
  for (var l = 0u; l < parameters.members; l++) {
    rank += select(0u, 1u, ensemble[l * parameters.state + cell] < t);
  }
  return rank;
}

@compute @workgroup_size(256)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var bin = lane; bin < BINS; bin += 256u) {
    atomicStore(&local[bin], 0u);
  }
  workgroupBarrier();
  let index = linearIndex(id, groups, 256u);
  if (index < parameters.thinned) {
    let x = (index % parameters.thinnedX) * parameters.strideX;
    let y = (index / parameters.thinnedX) * parameters.strideY;
    atomicAdd(&local[rankAt(y * parameters.nx + x)], 1u);
  }
  workgroupBarrier();
  for (var bin = lane; bin < BINS; bin += 256u) {
    let count = atomicLoad(&local[bin]);
    if (count > 0u) {
      atomicAdd(&counts[bin], count);
    }
  }
}
