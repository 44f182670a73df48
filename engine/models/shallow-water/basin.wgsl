// The basin of every scheme, and the kernels before and after its steps.

// == sources ==
// Where cells beyond the basin come from.

const WALL = 0u;
const PERIODIC = 1u;

/// The cell along an axis that represents one inside the grid or beyond, and the sign of its normal momentum.
struct Source {
  cell: u32,
  sign: f32,
}

/// `sourceCell` and `sourceSign` of basin.ts, for any index along an axis of `size` cells.
fn sourceOf(index: i32, size: u32, boundary: u32) -> Source {
  if (u32(index) < size) {
    return Source(u32(index), 1.0);
  }
  let n = i32(size);
  switch (boundary) {
    case WALL: {
      let folded = modulo(index, 2 * n);
      return Source(u32(min(folded, 2 * n - 1 - folded)), select(1.0, -1.0, folded >= n));
    }
    case PERIODIC: {
      return Source(u32(modulo(index, n)), 1.0);
    }
    default: {
      return Source(u32(clamp(index, 0, n - 1)), 1.0);
    }
  }
}

fn modulo(i: i32, n: i32) -> i32 {
  return ((i % n) + n) % n;
}

// == basin ==
// What the stepping kernels ask of a cell of their basin. After stepping.wgsl.

/// (|u| + c)/dx or (|v| + c)/dy, 1/s, whichever is larger; 0 where it is dry.
fn waveRate(basin: Basin, h: f32, hu: f32, hv: f32) -> f32 {
  if (!(h > basin.dryDepth)) {
    return 0.0;
  }
  let c = sqrt(basin.gravity * h);
  let inverse = 1.0 / h;
  return max((abs(hu) * inverse + c) * basin.perX, (abs(hv) * inverse + c) * basin.perY);
}

/// Length that a step must be able to have: with "auto" the next one gets what the state asks for, but for the shortest one.
fn shortestStep() -> f32 {
  return select(stepping.timeStep, clock[real(LONGEST)] / f32(TICKS), stepping.automatic != 0u);
}

/// Whether `faultOf` has something to say of a cell that is not below its ground. `courant` is its wave rate times `shortestStep`.
fn isFaulty(q: vec3f, courant: f32) -> bool {
  return !isFinite(abs(q.x) + abs(q.y) + abs(q.z)) || courant > stepping.courant;
}

/// What is wrong with a cell after a step.
///
/// @param q component 0, hu, hv
/// @param ground elevation of the bed where component 0 is an elevation, else 0
/// @param dryAllowed whether the scheme knows dry cells
fn faultOf(basin: Basin, q: vec3f, ground: f32, dryAllowed: bool) -> Fault {
  for (var variable = 0u; variable < 3u; variable++) {
    if (!isFinite(q[variable])) {
      return Fault(true, NOT_FINITE, variable, q[variable]);
    }
  }
  let h = q.x - ground;
  if (!dryAllowed && h <= 0.0) {
    return Fault(true, NEGATIVE_DEPTH, 0u, h);
  }
  let courant = shortestStep() * waveRate(basin, h, q.y, q.z);
  if (courant > stepping.courant) {
    return Fault(true, select(COURANT, STEP_TOO_SHORT, stepping.automatic != 0u), 0u, courant);
  }
  return NO_FAULT;
}

// == survey ==
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

// == conclude ==
// After the steps of a run: brings count, rate and what remains back to slot 0, and says what is wrong with the cell that was recorded.
// Slot: that of the step after the last. Bindings: stepping.wgsl, basin, bed, state. Workgroups: one invocation, and another for a
// companion.

@group(0) @binding(4) var<uniform> basin: Basin;
@group(0) @binding(5) var<storage, read> bed: array<f32>;
@group(0) @binding(6) var<storage, read> state: array<f32>;

override HAS_BED: bool;

@compute @workgroup_size(1)
fn main(@builtin(workgroup_id) group: vec3u) {
  belongTo(group.x * stepping.together);
  atomicStore(&status[word(STEPS)], atomicLoad(&status[word(STEPS + slot.index)]));
  atomicStore(&status[word(REMAINING)], atomicLoad(&status[word(REMAINING + slot.index)]));
  let rate = atomicLoad(&status[word(RATE + slot.index)]);
  for (var s = 1u; s < SLOTS; s++) {
    atomicStore(&status[word(RATE + s)], 0u);
  }
  atomicStore(&status[word(RATE)], rate);
  let place = atomicLoad(&status[word(BAD_PLACE)]);
  if (place == NONE || atomicLoad(&status[word(KIND)]) != NONE) {
    return;
  }
  let cells = basin.nx * basin.ny;
  let cell = place % cells;
  let i = (place / cells) * 3u * cells + cell;
  let ground = select(0.0, bed[select(0u, cell, HAS_BED)], HAS_BED);
  let fault = faultOf(basin, vec3f(state[i], state[i + cells], state[i + 2u * cells]), ground, HAS_BED);
  atomicStore(&status[word(KIND)], fault.kind);
  atomicStore(&status[word(VARIABLE)], fault.variable);
  clock[real(VALUE)] = fault.value;
}
