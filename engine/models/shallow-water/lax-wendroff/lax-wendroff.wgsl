// One step of Moler's two-step Lax–Wendroff scheme on a flat bottom [moler], of all members.
//
//     q½ = (q_a + q_b)/2 − dt/(2dx)·(f(q_b) − f(q_a)) on every face
//     q ← q − dt/dx·δₓf(q½) − dt/dy·δᵧg(q½)
//
// The faces between an invocation's four columns and those between a row and the next are made once. Across invocations cells
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

@compute @workgroup_size(64, 2)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = firstColumn(id);
  let firstRow = id.y * ROWS;
  let base = id.z * 3u * basin.nx * basin.ny;
  let below = cellsAround(base, i, i32(firstRow) - 1);
  let first = cellsAround(base, i, i32(firstRow));
  let dt = beginStep(id.z, lane);
  let south = dragged(below);
  var cells = dragged(first);
  let halfX = 0.5 * dt / basin.dx;
  let halfY = 0.5 * dt / basin.dy;

  if (4u * id.x < basin.nx) {
    let end = min(firstRow + ROWS, basin.ny);
    var a = flowOf(cells.a);
    var b = flowOf(cells.b);
    var c = flowOf(cells.c);
    var d = flowOf(cells.d);
    var belowA = faceY(flowOf(south.a), a, halfY);
    var belowB = faceY(flowOf(south.b), b, halfY);
    var belowC = faceY(flowOf(south.c), c, halfY);
    var belowD = faceY(flowOf(south.d), d, halfY);
    for (var j = firstRow; j < end; j++) {
      let north = dragged(cellsAround(base, i, i32(j) + 1));
      let northA = flowOf(north.a);
      let northB = flowOf(north.b);
      let northC = flowOf(north.c);
      let northD = flowOf(north.d);
      let aboveA = faceY(a, northA, halfY);
      let aboveB = faceY(b, northB, halfY);
      let aboveC = faceY(c, northC, halfY);
      let aboveD = faceY(d, northD, halfY);
      let x0 = faceX(flowOf(cells.west), a, halfX);
      let x1 = faceX(a, b, halfX);
      let x2 = faceX(b, c, halfX);
      let x3 = faceX(c, d, halfX);
      let x4 = faceX(d, flowOf(cells.east), halfX);
      keep(
        id.z,
        i,
        j,
        ended(a.q, a.q - 2.0 * (halfX * (x1 - x0) + halfY * (aboveA - belowA)), dt),
        ended(b.q, b.q - 2.0 * (halfX * (x2 - x1) + halfY * (aboveB - belowB)), dt),
        ended(c.q, c.q - 2.0 * (halfX * (x3 - x2) + halfY * (aboveC - belowC)), dt),
        ended(d.q, d.q - 2.0 * (halfX * (x4 - x3) + halfY * (aboveD - belowD)), dt),
        dt,
      );
      cells = north;
      a = northA;
      b = northB;
      c = northC;
      d = northD;
      belowA = aboveA;
      belowB = aboveB;
      belowC = aboveC;
      belowD = aboveD;
    }
  }
  endStep(group, lane, dt);
}
