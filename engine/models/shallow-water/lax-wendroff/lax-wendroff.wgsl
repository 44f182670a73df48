// One step of Moler's two-step Lax–Wendroff scheme on a flat bottom [moler], of all members.
//
//     q½ = (q_a + q_b)/2 − dt/(2dx)·(f(q_b) − f(q_a)) on every face,  f = (hn, hn²/h + g h²/2, hn·ht/h)
//     q ← q − dt/dx·δₓf(q½) − dt/dy·δᵧg(q½)
//
// with hn the momentum normal to the face and ht the tangential one. An invocation steps two neighbouring columns, up ROWS
// rows: the face between the columns and the one between a row and the next are made once, and what it read of a row serves
// the next. Across invocations cells come from cache; sharing those too through workgroup memory would only add barriers.
// Boundary rule: the table of sources. Bindings and workgroups: keep.wgsl.


/// h, hu, hv at a place of a member, with the signs of what stands there for a cell beyond a wall.
fn cellAt(place: u32, signX: f32, signY: f32) -> vec3f {
  let cells = basin.nx * basin.ny;
  return vec3f(before[place], signX * before[place + cells], signY * before[place + 2u * cells]);
}

/// Flux of (depth, normal, tangential momentum).
fn flux(q: vec3f) -> vec3f {
  let velocity = q.y / q.x;
  return vec3f(q.y, q.y * velocity + 0.5 * basin.gravity * q.x * q.x, q.z * velocity);
}

/// Flux through the face between two cells, half a step on; `fluxA`, `fluxB` are theirs, `ratio` is dt/(2dx).
fn faceFlux(a: vec3f, fluxA: vec3f, b: vec3f, fluxB: vec3f, ratio: f32) -> vec3f {
  return flux(0.5 * (a + b) - ratio * (fluxB - fluxA));
}

/// A column on its way up: the cell of the current row, its flux along y, and the one through the face below it, both of
/// these as (depth, normal, tangential).
struct Column {
  cell: vec3f,
  own: vec3f,
  below: vec3f,
}

fn startColumn(south: vec3f, cell: vec3f, halfY: f32) -> Column {
  let own = flux(cell.xzy);
  return Column(cell, own, faceFlux(south.xzy, flux(south.xzy), cell.xzy, own, halfY));
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
  let halfX = 0.5 * dt / basin.dx;
  let halfY = 0.5 * dt / basin.dy;
  // Column i, the one to its west, and the two to its east; the first of these may lie beyond the grid.
  let west = unpackSource(sources[columnSource(basin, i32(i) - 1)]);
  let next = unpackSource(sources[columnSource(basin, i32(i) + 1)]);
  let east = unpackSource(sources[columnSource(basin, i32(i) + 2)]);
  let pair = i + 1u < basin.nx;

  let below = unpackSource(sources[rowSource(basin, i32(firstRow) - 1)]);
  let southRow = base + below.cell * basin.nx;
  let startRow = base + firstRow * basin.nx;
  var a = startColumn(cellAt(southRow + i, 1.0, below.sign), cellAt(startRow + i, 1.0, 1.0), halfY);
  var b = startColumn(
    cellAt(southRow + next.cell, next.sign, below.sign),
    cellAt(startRow + next.cell, next.sign, 1.0),
    halfY,
  );
  for (var j = firstRow; j < min(firstRow + ROWS, basin.ny); j++) {
    let above = unpackSource(sources[rowSource(basin, i32(j) + 1)]);
    let northRow = base + above.cell * basin.nx;
    let northA = cellAt(northRow + i, 1.0, above.sign);
    let northB = cellAt(northRow + next.cell, next.sign, above.sign);
    let row = base + j * basin.nx;
    let westCell = cellAt(row + west.cell, west.sign, 1.0);
    let eastCell = cellAt(row + east.cell, east.sign, 1.0);

    let northFluxA = flux(northA.xzy);
    let northFluxB = flux(northB.xzy);
    let aboveA = faceFlux(a.cell.xzy, a.own, northA.xzy, northFluxA, halfY);
    let aboveB = faceFlux(b.cell.xzy, b.own, northB.xzy, northFluxB, halfY);
    let fluxA = flux(a.cell);
    let fluxB = flux(b.cell);
    let left = faceFlux(westCell, flux(westCell), a.cell, fluxA, halfX);
    let between = faceFlux(a.cell, fluxA, b.cell, fluxB, halfX);
    let right = faceFlux(b.cell, fluxB, eastCell, flux(eastCell), halfX);

    let cell = j * basin.nx + i;
    keep(id.z, cell, a.cell, a.cell - 2.0 * (halfX * (between - left) + halfY * (aboveA - a.below).xzy), dt);
    if (pair) {
      keep(id.z, cell + 1u, b.cell, b.cell - 2.0 * (halfX * (right - between) + halfY * (aboveB - b.below).xzy), dt);
    }
    a = Column(northA, northFluxA, aboveA);
    b = Column(northB, northFluxB, aboveB);
  }
  if (all(id == vec3u(0u))) {
    passOn(dt);
  }
}
