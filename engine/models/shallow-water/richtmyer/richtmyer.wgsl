// One step of Richtmyer's two-step Lax–Wendroff scheme on a flat bottom [richtmyer1967], of all members: see index.ts.
//
//     q½ = ¼ Σ q − dt/(2dx)·μᵧδₓf(q) − dt/(2dy)·μₓδᵧg(q) at the corners of cells
//     q ← q − dt/dx·μᵧδₓf(q½) − dt/dy·μₓδᵧg(q½) − ε/16·δₓ²δᵧ²q
//
// An invocation goes up by rows of corners: each needs the four cells of the row below it and the four of the row above, of
// which the latter serve the next row. Bindings and workgroups: flat-bottom.wgsl.

/// ε/16
override DAMPING: f32 = 0.00390625;

/// Columns i − 1 to i + 4 of a row.
struct Row {
  west: Flow,
  a: Flow,
  b: Flow,
  c: Flow,
  d: Flow,
  east: Flow,
}

/// What flows through the five corners between six columns: their half steps.
struct Corners {
  west: Flow,
  ab: Flow,
  bc: Flow,
  cd: Flow,
  east: Flow,
}

/// Second differences along x of the four inner columns of a row.
struct Bends {
  a: vec3f,
  b: vec3f,
  c: vec3f,
  d: vec3f,
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
    halfway(south.b, south.c, north.b, north.c, ratios),
    halfway(south.c, south.d, north.c, north.d, ratios),
    halfway(south.d, south.east, north.d, north.east, ratios),
  );
}

/// What a full step takes from the cell between four corners; the ratios are as above.
fn divergence(sw: Flow, se: Flow, nw: Flow, ne: Flow, ratios: vec2f) -> vec3f {
  return 2.0 * (
    ratios.x * ((alongX(se) + alongX(ne)) - (alongX(sw) + alongX(nw))) +
      ratios.y * ((alongY(nw) + alongY(ne)) - (alongY(sw) + alongY(se)))
  );
}

fn bend(west: Flow, cell: Flow, east: Flow) -> vec3f {
  return west.q - 2.0 * cell.q + east.q;
}

fn bendsOf(row: Row) -> Bends {
  return Bends(
    bend(row.west, row.a, row.b),
    bend(row.a, row.b, row.c),
    bend(row.b, row.c, row.d),
    bend(row.c, row.d, row.east),
  );
}

fn damped(south: vec3f, here: vec3f, north: vec3f) -> vec3f {
  return DAMPING * (south - 2.0 * here + north);
}

/// Where a step begins.
fn rowOf(read: Cells) -> Row {
  let cells = dragged(read);
  return Row(
    flowOf(cells.west),
    flowOf(cells.a),
    flowOf(cells.b),
    flowOf(cells.c),
    flowOf(cells.d),
    flowOf(cells.east),
  );
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
  let south = cellsAround(base, i, i32(firstRow) - 1);
  let first = cellsAround(base, i, i32(firstRow));
  let dt = beginStep(id.z, lane);
  let ratios = 0.25 * dt / vec2f(basin.dx, basin.dy);

  if (4u * id.x < basin.nx) {
    let below = rowOf(south);
    var here = rowOf(first);
    var lower = cornersBetween(below, here, ratios);
    var bendsSouth = bendsOf(below);
    var bends = bendsOf(here);
    let end = min(firstRow + ROWS, basin.ny);
    for (var j = firstRow; j < end; j++) {
      let north = rowOf(cellsAround(base, i, i32(j) + 1));
      let upper = cornersBetween(here, north, ratios);
      let bendsNorth = bendsOf(north);
      let takenA = divergence(lower.west, lower.ab, upper.west, upper.ab, ratios);
      let takenB = divergence(lower.ab, lower.bc, upper.ab, upper.bc, ratios);
      let takenC = divergence(lower.bc, lower.cd, upper.bc, upper.cd, ratios);
      let takenD = divergence(lower.cd, lower.east, upper.cd, upper.east, ratios);
      keep(
        id.z,
        i,
        j,
        ended(here.a.q, here.a.q - takenA - damped(bendsSouth.a, bends.a, bendsNorth.a), dt),
        ended(here.b.q, here.b.q - takenB - damped(bendsSouth.b, bends.b, bendsNorth.b), dt),
        ended(here.c.q, here.c.q - takenC - damped(bendsSouth.c, bends.c, bendsNorth.c), dt),
        ended(here.d.q, here.d.q - takenD - damped(bendsSouth.d, bends.d, bendsNorth.d), dt),
        dt,
      );
      lower = upper;
      bendsSouth = bends;
      bends = bendsNorth;
      here = north;
    }
  }
  endStep(group, lane, dt);
}
