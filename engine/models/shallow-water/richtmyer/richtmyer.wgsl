// One step of Richtmyer's two-step Lax–Wendroff scheme on a flat bottom [richtmyer1967], of all members: see index.ts.
//
//     q½ = ¼ Σ q − dt/(2dx)·μᵧδₓf(q) − dt/(2dy)·μₓδᵧg(q) at the corners of cells
//     q ← q − dt/dx·μᵧδₓf(q½) − dt/dy·μₓδᵧg(q½) − ε/16·δₓ²δᵧ²q
//
// An invocation steps two neighbouring columns, up ROWS rows. It goes up by rows of corners: each needs the four cells of the
// row below it and the four of the row above, of which the latter serve the next row. Boundary rule: the table of sources.
// Bindings and workgroups: keep.wgsl.

/// ε/16
override DAMPING: f32 = 0.00390625;

/// h, hu, hv with the fluxes of hu along x, of either momentum across, and of hv along y.
struct Flow {
  q: vec3f,
  xx: f32,
  xy: f32,
  yy: f32,
}

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

fn flowOf(q: vec3f) -> Flow {
  let velocity = q.yz / q.x;
  let pressure = 0.5 * basin.gravity * q.x * q.x;
  return Flow(q, q.y * velocity.x + pressure, q.y * velocity.y, q.z * velocity.y + pressure);
}

fn alongX(flow: Flow) -> vec3f {
  return vec3f(flow.q.y, flow.xx, flow.xy);
}

fn alongY(flow: Flow) -> vec3f {
  return vec3f(flow.q.z, flow.xy, flow.yy);
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

/// h, hu, hv at a place of a member, with the signs of what stands there for a cell beyond a wall.
fn cellAt(place: u32, signX: f32, signY: f32) -> Flow {
  let cells = basin.nx * basin.ny;
  return flowOf(vec3f(before[place], signX * before[place + cells], signY * before[place + 2u * cells]));
}

@compute @workgroup_size(32, 4)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(local_invocation_index) lane: u32) {
  if (lane == 0u) {
    seconds = stepSeconds();
  }
  let dt = workgroupUniformLoad(&seconds);
  let i = 2u * id.x;
  let firstRow = id.y * ROWS;
  if (i >= basin.nx || firstRow >= basin.ny) {
    return;
  }
  let base = id.z * 3u * basin.nx * basin.ny;
  let ratios = 0.25 * dt / vec2f(basin.dx, basin.dy);
  // Column i, the one to its west, and the two to its east; the first of these may lie beyond the grid.
  let west = unpackSource(sources[columnSource(basin, i32(i) - 1)]);
  let next = unpackSource(sources[columnSource(basin, i32(i) + 1)]);
  let east = unpackSource(sources[columnSource(basin, i32(i) + 2)]);
  let pair = i + 1u < basin.nx;

  var here: Row;
  var lower: Corners;
  // Second differences along x of the two columns, in the row below and in this one.
  var bendsSouth: array<vec3f, 2>;
  var bends: array<vec3f, 2>;
  // From the row below the first one to the one above the last.
  let lastRow = min(firstRow + ROWS, basin.ny) - 1u;
  for (var j = i32(firstRow) - 1; j <= i32(lastRow) + 1; j++) {
    let source = unpackSource(sources[rowSource(basin, j)]);
    let row = base + source.cell * basin.nx;
    let north = Row(
      cellAt(row + west.cell, west.sign, source.sign),
      cellAt(row + i, 1.0, source.sign),
      cellAt(row + next.cell, next.sign, source.sign),
      cellAt(row + east.cell, east.sign, source.sign),
    );
    let bendsNorth = array(bend(north.west, north.a, north.b), bend(north.a, north.b, north.east));
    if (j >= i32(firstRow)) {
      let upper = cornersBetween(here, north, ratios);
      if (j > i32(firstRow)) {
        let cell = u32(j - 1) * basin.nx + i;
        let dampedA = DAMPING * (bendsSouth[0] - 2.0 * bends[0] + bendsNorth[0]);
        let dampedB = DAMPING * (bendsSouth[1] - 2.0 * bends[1] + bendsNorth[1]);
        let takenA = divergence(lower.west, lower.middle, upper.west, upper.middle, ratios);
        keep(id.z, cell, here.a.q, here.a.q - takenA - dampedA, dt);
        if (pair) {
          let takenB = divergence(lower.middle, lower.east, upper.middle, upper.east, ratios);
          keep(id.z, cell + 1u, here.b.q, here.b.q - takenB - dampedB, dt);
        }
      }
      lower = upper;
    }
    bendsSouth = bends;
    bends = bendsNorth;
    here = north;
  }
  if (all(id == vec3u(0u))) {
    passOn(dt);
  }
}
