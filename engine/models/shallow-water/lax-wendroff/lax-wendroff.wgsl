// One step of Moler's two-step Lax–Wendroff scheme on a flat bottom [moler], of all members.
//
//     q½ = (q_a + q_b)/2 − dt/(2dx)·(f(q_b) − f(q_a)) on every face
//     q ← q − dt/dx·δₓf(q½) − dt/dy·δᵧg(q½)
//
// The face between an invocation's two columns and the one between a row and the next are made once. Across invocations cells
// come from cache; sharing those too through workgroup memory would only add barriers.
// Bindings and workgroups: flat-bottom.wgsl.

/// Flux along x through the face between two cells, half a step on; `ratio` is dt/(2dx).
fn faceX(west: Flow, east: Flow, ratio: f32) -> vec3f {
  return alongX(flowOf(0.5 * (west.q + east.q) - ratio * (alongX(east) - alongX(west))));
}

/// Flux along y, likewise.
fn faceY(south: Flow, north: Flow, ratio: f32) -> vec3f {
  return alongY(flowOf(0.5 * (south.q + north.q) - ratio * (alongY(north) - alongY(south))));
}

@compute @workgroup_size(32, 4)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = 2u * id.x;
  let firstRow = id.y * ROWS;
  let base = id.z * 3u * basin.nx * basin.ny;
  // An invocation beyond the grid reads the last columns and writes nothing.
  let column = min(i, (basin.nx - 1u) / 2u * 2u);
  let below = cellsAround(base, column, i32(firstRow) - 1);
  let first = cellsAround(base, column, i32(firstRow));
  let dt = beginStep(id.z, lane);
  let south = dragged(below);
  var cells = dragged(first);
  let halfX = 0.5 * dt / basin.dx;
  let halfY = 0.5 * dt / basin.dy;

  if (i < basin.nx) {
    let end = min(firstRow + ROWS, basin.ny);
    var a = flowOf(cells.a);
    var b = flowOf(cells.b);
    var belowA = faceY(flowOf(south.a), a, halfY);
    var belowB = faceY(flowOf(south.b), b, halfY);
    for (var j = firstRow; j < end; j++) {
      let north = dragged(cellsAround(base, column, i32(j) + 1));
      let northA = flowOf(north.a);
      let northB = flowOf(north.b);
      let aboveA = faceY(a, northA, halfY);
      let aboveB = faceY(b, northB, halfY);
      let left = faceX(flowOf(cells.west), a, halfX);
      let between = faceX(a, b, halfX);
      let right = faceX(b, flowOf(cells.east), halfX);
      let steppedA = a.q - 2.0 * (halfX * (between - left) + halfY * (aboveA - belowA));
      let steppedB = b.q - 2.0 * (halfX * (right - between) + halfY * (aboveB - belowB));
      keep(id.z, i, j, a.q, b.q, steppedA, steppedB, dt);
      cells = north;
      a = northA;
      b = northB;
      belowA = aboveA;
      belowB = aboveB;
    }
  }
  endStep(group, lane, dt);
}
