// One step of Richtmyer's two-step Lax–Wendroff scheme on a flat bottom [richtmyer1967], of all members: see index.ts.
//
//     q½ = ¼ Σ q − dt/(2dx)·μᵧδₓf(q) − dt/(2dy)·μₓδᵧg(q) at the corners of cells
//     q ← q − dt/dx·μᵧδₓf(q½) − dt/dy·μₓδᵧg(q½) − ε/16·δₓ²δᵧ²q
//
// An invocation goes up by rows of corners: each needs the four cells of the row below it and the four of the row above, of
// which the latter serve the next row. Bindings and workgroups: flat-bottom.wgsl.

/// ε/16
override DAMPING: f32 = 0.00390625;

/// Columns i − 1 to i + 2 of a row.
struct Row {
  west: Flow,
  a: Flow,
  b: Flow,
  east: Flow,
}

/// What flows through the three corners between four columns: their half steps.
struct Corners {
  west: Flow,
  middle: Flow,
  east: Flow,
}

/// Half a step on, at the corner of four cells; the ratios are dt/(4dx), dt/(4dy).
fn halfway(sw: Flow, se: Flow, nw: Flow, ne: Flow, ratios: vec2f) -> Flow {
  return flowOf(
    0.25 * ((sw.q + se.q) + (nw.q + ne.q)) -
      ratios.x * ((alongX(se) + alongX(ne)) - (alongX(sw) + alongX(nw))) -
      ratios.y * ((alongY(nw) + alongY(ne)) - (alongY(sw) + alongY(se))),
  );
}

fn cornersBetween(south: Row, north: Row, ratios: vec2f) -> Corners {
  return Corners(
    halfway(south.west, south.a, north.west, north.a, ratios),
    halfway(south.a, south.b, north.a, north.b, ratios),
    halfway(south.b, south.east, north.b, north.east, ratios),
  );
}

/// What a full step takes from the cell between four corners; the ratios are as above.
fn divergence(sw: Flow, se: Flow, nw: Flow, ne: Flow, ratios: vec2f) -> vec3f {
  return 2.0 * (
    ratios.x * ((alongX(se) + alongX(ne)) - (alongX(sw) + alongX(nw))) +
      ratios.y * ((alongY(nw) + alongY(ne)) - (alongY(sw) + alongY(se)))
  );
}

/// Second differences along x of the two inner columns of a row.
fn bend(west: Flow, cell: Flow, east: Flow) -> vec3f {
  return west.q - 2.0 * cell.q + east.q;
}

/// Where a step begins.
fn rowOf(read: Cells) -> Row {
  let cells = dragged(read);
  return Row(flowOf(cells.west), flowOf(cells.a), flowOf(cells.b), flowOf(cells.east));
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
  let south = cellsAround(base, column, i32(firstRow) - 1);
  let first = cellsAround(base, column, i32(firstRow));
  let dt = beginStep(id.z, lane);
  let ratios = 0.25 * dt / vec2f(basin.dx, basin.dy);

  if (i < basin.nx) {
    let below = rowOf(south);
    var here = rowOf(first);
    var lower = cornersBetween(below, here, ratios);
    // Second differences along x of the two columns, in the row below and in this one.
    var bendsSouth = array(bend(below.west, below.a, below.b), bend(below.a, below.b, below.east));
    var bends = array(bend(here.west, here.a, here.b), bend(here.a, here.b, here.east));
    let end = min(firstRow + ROWS, basin.ny);
    for (var j = firstRow; j < end; j++) {
      let north = rowOf(cellsAround(base, column, i32(j) + 1));
      let upper = cornersBetween(here, north, ratios);
      let bendsNorth = array(bend(north.west, north.a, north.b), bend(north.a, north.b, north.east));
      let dampedA = DAMPING * (bendsSouth[0] - 2.0 * bends[0] + bendsNorth[0]);
      let dampedB = DAMPING * (bendsSouth[1] - 2.0 * bends[1] + bendsNorth[1]);
      let takenA = divergence(lower.west, lower.middle, upper.west, upper.middle, ratios);
      let takenB = divergence(lower.middle, lower.east, upper.middle, upper.east, ratios);
      keep(id.z, i, j, here.a.q, here.b.q, here.a.q - takenA - dampedA, here.b.q - takenB - dampedB, dt);
      lower = upper;
      bendsSouth = bends;
      bends = bendsNorth;
      here = north;
    }
  }
  endStep(group, lane, dt);
}
