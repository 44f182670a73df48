// The operators of repair.ts.

// == repair ==
// Depth raised to the floor; no momentum in a cell at or below the dry depth. A cell that is so already is not written.
// One invocation a cell and member, 256 in a workgroup, folded into x and y.

override HAS_BED: bool;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let place = linearIndex(id, groups, 256u);
  let cells = parameters.cells;
  if (place >= parameters.members * cells) {
    return;
  }
  let cell = place % cells;
  let i = (place / cells) * 3u * cells + cell;
  let ground = select(0.0, bed[select(0u, cell, HAS_BED)], HAS_BED);
  let lowest = ground + parameters.floor;
  var surface = state[i];
  if (surface < lowest) {
    surface = lowest;
    state[i] = lowest;
  }
  if (surface - ground <= parameters.dryDepth) {
    state[i + cells] = 0.0;
    state[i + 2u * cells] = 0.0;
  }
}

// == speed-limit ==
// Momentum of an analysis whose water is faster than the forecast can explain, scaled down (repair.ts). Surfaces are read of five
// cells and never written; momentum is read and written of one.
// One invocation a cell and member, 256 in a workgroup, folded into x and y.

/// The index beside i on an axis of n cells; itself where the axis ends.
fn before(i: u32, n: u32, periodic: bool) -> u32 {
  return select(i - 1u, select(0u, n - 1u, periodic), i == 0u);
}

fn after(i: u32, n: u32, periodic: bool) -> u32 {
  return select(i + 1u, select(n - 1u, 0u, periodic), i + 1u == n);
}

fn speedSquared(flow: vec2f, depth: f32) -> f32 {
  let velocity = flow / depth;
  return dot(velocity, velocity);
}

/// Square of the speed that water of a cell has in the forecast, or as a front; 0 where it is dry.
fn front(offset: u32, cell: u32) -> f32 {
  let cells = parameters.nx * parameters.ny;
  let i = offset + cell;
  let earlier = forecast[i] - bed[cell];
  let depth = max(earlier, state[i] - bed[cell]);
  if (depth <= parameters.dryDepth) {
    return 0.0;
  }
  let ritter = 4.0 * parameters.gravity * depth;
  if (earlier <= parameters.dryDepth) {
    return ritter;
  }
  return max(ritter, speedSquared(vec2f(forecast[i + cells], forecast[i + 2u * cells]), earlier));
}

/// Square of the speed that water of the cell `near` can have where the surface is at `surface`.
fn reach(offset: u32, near: u32, surface: f32) -> f32 {
  let own = front(offset, near);
  let height = max(forecast[offset + near], state[offset + near]) - surface;
  return select(0.0, own + 2.0 * parameters.gravity * max(height, 0.0), own > 0.0);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let place = linearIndex(id, groups, 256u);
  let nx = parameters.nx;
  let ny = parameters.ny;
  let cells = nx * ny;
  if (place >= parameters.members * cells) {
    return;
  }
  let cell = place % cells;
  let offset = (place / cells) * 3u * cells;
  let i = offset + cell;
  let surface = state[i];
  let depth = surface - bed[cell];
  if (depth <= parameters.dryDepth) {
    return;
  }
  let speed = speedSquared(vec2f(state[i + cells], state[i + 2u * cells]), depth);
  var fastest = front(offset, cell);
  if (speed <= fastest) {
    return;
  }
  let x = cell % nx;
  let y = cell / nx;
  fastest = max(fastest, reach(offset, y * nx + before(x, nx, parameters.periodicX != 0u), surface));
  fastest = max(fastest, reach(offset, y * nx + after(x, nx, parameters.periodicX != 0u), surface));
  fastest = max(fastest, reach(offset, before(y, ny, parameters.periodicY != 0u) * nx + x, surface));
  fastest = max(fastest, reach(offset, after(y, ny, parameters.periodicY != 0u) * nx + x, surface));
  if (speed <= fastest) {
    return;
  }
  let factor = sqrt(fastest / speed);
  state[i + cells] *= factor;
  state[i + 2u * cells] *= factor;
}
