// Before the steps of a run that begins a forecast with "auto": the largest wave rate of the ensemble, into slot 0.
//
//     rate = max over members and cells of (|u| + c)/dx, (|v| + c)/dy
//
// The largest bits of non-negative floats are those of the largest float, and a maximum does not depend on the order.
// Bindings: stepping.wgsl, basin, bed, state. One invocation a cell and member, 256 in a workgroup, folded into x and y.

@group(0) @binding(4) var<uniform> basin: Basin;
@group(0) @binding(5) var<storage, read> bed: array<f32>;
@group(0) @binding(6) var<storage, read> state: array<f32>;

override HAS_BED: bool;

var<workgroup> largest: atomic<u32>;

@compute @workgroup_size(256)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    atomicStore(&largest, 0u);
  }
  workgroupBarrier();
  let cells = basin.nx * basin.ny;
  let place = linearIndex(id, groups, 256u);
  if (place < basin.members * cells) {
    let cell = place % cells;
    let i = (place / cells) * 3u * cells + cell;
    let h = state[i] - select(0.0, bed[select(0u, cell, HAS_BED)], HAS_BED);
    atomicMax(&largest, bitcast<u32>(waveRate(basin, h, state[i + cells], state[i + 2u * cells])));
  }
  workgroupBarrier();
  if (lane == 0u) {
    atomicMax(&status[RATE], atomicLoad(&largest));
  }
}
