// What the kernels of the schemes for a flat bottom share: how a scheme's `stepRows` is given cells, and what becomes of those that it
// made. A dispatch takes a single step or a batch of them.

// == pairs-aligned ==
// The state if each row has an even number of cells: one vector holds the two cells of an invocation.

@group(0) @binding(5) var<storage, read> before: array<vec2f>;
@group(0) @binding(6) var<storage, read_write> after: array<vec2f>;

/// h, hu, hv of the cells at columns `i` and `i + 1` of the row that begins at `start`.
fn pairBefore(start: u32, i: u32) -> mat3x2f {
  let place = (start + i) / 2u;
  let cells = basin.nx * basin.ny / 2u;
  return mat3x2f(before[place], before[place + cells], before[place + 2u * cells]);
}

fn cellBefore(place: u32) -> vec3f {
  let cells = basin.nx * basin.ny / 2u;
  let at = place / 2u;
  let side = place % 2u;
  return vec3f(before[at][side], before[at + cells][side], before[at + 2u * cells][side]);
}

fn storePair(place: u32, i: u32, a: vec3f, b: vec3f) {
  let at = place / 2u;
  let cells = basin.nx * basin.ny / 2u;
  after[at] = vec2f(a.x, b.x);
  after[at + cells] = vec2f(a.y, b.y);
  after[at + 2u * cells] = vec2f(a.z, b.z);
}

// == pairs-anywhere ==
// The state where a row has an odd number of cells: pairs begin anywhere, and the last of a row is a single cell.

@group(0) @binding(5) var<storage, read> before: array<f32>;
@group(0) @binding(6) var<storage, read_write> after: array<f32>;

/// h, hu, hv of the cells at columns `i` and `i + 1` of the row that begins at `start`; the second may lie beyond the grid.
fn pairBefore(start: u32, i: u32) -> mat3x2f {
  let second = sourceOf(i32(i) + 1, basin.nx, basin.boundaryX);
  let a = cellBefore(start + i);
  let b = cellBefore(start + second.cell);
  return mat3x2f(vec2f(a.x, b.x), vec2f(a.y, second.sign * b.y), vec2f(a.z, b.z));
}

fn cellBefore(place: u32) -> vec3f {
  let cells = basin.nx * basin.ny;
  return vec3f(before[place], before[place + cells], before[place + 2u * cells]);
}

fn storePair(place: u32, i: u32, a: vec3f, b: vec3f) {
  store(place, a);
  if (i + 1u < basin.nx) {
    store(place + 1u, b);
  }
}

fn store(place: u32, q: vec3f) {
  let cells = basin.nx * basin.ny;
  after[place] = q.x;
  after[place + cells] = q.y;
  after[place + 2u * cells] = q.z;
}

// == flow ==
// What the schemes for a flat bottom and their dispatches know of a cell and of its neighbours.

@group(0) @binding(4) var<uniform> basin: Basin;

/// What drag leaves of the momenta in half a step: 1 without, to the last bit.
var<private> drag: f32;
/// Read once: what is written in between could be the same memory, for all that a compiler knows.
var<private> shortest: f32;

/// h, hu, hv with the fluxes of hu along x, of either momentum across, and of hv along y.
struct Flow {
  q: vec3f,
  xx: f32,
  xy: f32,
  yy: f32,
}

fn flowOf(q: vec3f) -> Flow {
  let velocity = q.yz * (1.0 / q.x);
  let pressure = 0.5 * basin.gravity * q.x * q.x;
  return Flow(q, q.y * velocity.x + pressure, q.y * velocity.y, q.z * velocity.y + pressure);
}

/// Flux of h, hu, hv along x.
fn alongX(flow: Flow) -> vec3f {
  return vec3f(flow.q.y, flow.xx, flow.xy);
}

/// Flux of h, hu, hv along y.
fn alongY(flow: Flow) -> vec3f {
  return vec3f(flow.q.z, flow.xy, flow.yy);
}

/// h, hu, hv of four cells of a row: an invocation's own two columns, a and b, and one on either side.
struct Cells {
  west: vec3f,
  a: vec3f,
  b: vec3f,
  east: vec3f,
}

/// What drag leaves of the momenta in half a step of `dt`.
fn dragIn(dt: f32) -> f32 {
  return select(1.0, exp(-0.5 * basin.drag * dt), basin.drag * dt > 0.0);
}

/// Cells after half a step of drag, with which a step begins.
fn dragged(cells: Cells) -> Cells {
  let factor = vec3f(1.0, drag, drag);
  return Cells(factor * cells.west, factor * cells.a, factor * cells.b, factor * cells.east);
}

/// Whether something is wrong with a cell after a step, whose wave rate is known.
fn isWrong(q: vec3f, rate: f32) -> bool {
  return q.x <= 0.0 || isFaulty(q, shortest * rate);
}

// == single ==
// One step a dispatch. Bindings: stepping.wgsl, basin, before, after. Workgroups: 32 × 4 invocations along x and y, members along z;
// an invocation steps two neighbouring columns, up ROWS rows. How the two are read and written: `pairs-aligned` or `pairs-anywhere`.

/// Rows that an invocation steps.
override ROWS: u32 = 4u;

/// Length of the step, read once for all.
var<workgroup> seconds: f32;
/// The largest wave rate of the cells of this workgroup, as bits, and of those of this invocation.
var<workgroup> largest: atomic<u32>;
var<private> fastest: f32;

/// Row `j` and columns `i` to `i + 1` of a member; the row may lie beyond the grid, and the second column.
fn cellsAround(member: u32, i: u32, j: i32) -> Cells {
  let row = sourceOf(j, basin.ny, basin.boundaryY);
  let start = member * 3u * basin.nx * basin.ny + row.cell * basin.nx;
  let west = sourceOf(i32(i) - 1, basin.nx, basin.boundaryX);
  let east = sourceOf(i32(i) + 2, basin.nx, basin.boundaryX);
  let pair = pairBefore(start, i);
  return Cells(
    cellBefore(start + west.cell) * vec3f(1.0, west.sign, row.sign),
    vec3f(pair[0].x, pair[1].x, row.sign * pair[2].x),
    vec3f(pair[0].y, pair[1].y, row.sign * pair[2].y),
    cellBefore(start + east.cell) * vec3f(1.0, east.sign, row.sign),
  );
}

/// Length of the step. To be reached by all invocations; what they read before it is on its way meanwhile.
fn beginStep(lane: u32) -> f32 {
  shortest = shortestStep();
  if (lane == 0u) {
    seconds = stepSeconds();
  }
  let dt = workgroupUniformLoad(&seconds);
  drag = dragIn(dt);
  return dt;
}

/// Writes the cells of a pair after the step's last half of drag, and says what is wrong with them and how fast their waves are.
fn keep(member: u32, i: u32, j: u32, a: vec3f, b: vec3f, steppedA: vec3f, steppedB: vec3f, dt: f32) {
  // Without a step the state is handed through as it is: what is wrong with it may not be finite.
  let steps = dt > 0.0;
  let p = select(a, vec3f(1.0, drag, drag) * steppedA, steps);
  let q = select(b, vec3f(1.0, drag, drag) * steppedB, steps);
  let cells = basin.nx * basin.ny;
  let cell = j * basin.nx + i;
  storePair(member * 3u * cells + cell, i, p, q);
  let isPair = i + 1u < basin.nx;
  let rateA = waveRate(basin, p.x, p.y, p.z);
  let rateB = select(0.0, waveRate(basin, q.x, q.y, q.z), isPair);
  fastest = max(fastest, max(rateA, rateB));
  let isWrongA = isWrong(p, rateA);
  if (steps && (isWrongA || (isPair && isWrong(q, rateB)))) {
    recordFault(member * cells + cell + select(1u, 0u, isWrongA));
  }
}

/// To be reached by all invocations.
fn endStep(group: vec3u, lane: u32, dt: f32) {
  if (stepping.automatic != 0u) {
    atomicMax(&largest, bitcast<u32>(fastest));
    workgroupBarrier();
    if (lane == 0u) {
      raiseRate(bitcast<f32>(atomicLoad(&largest)));
    }
  }
  if (lane == 0u && all(group == vec3u(0u))) {
    passOn(dt);
  }
}

@compute @workgroup_size(32, 4)
fn main(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let i = 2u * id.x;
  let firstRow = id.y * ROWS;
  // An invocation beyond the grid reads the last columns and writes nothing.
  let column = min(i, (basin.nx - 1u) / 2u * 2u);
  let below = cellsAround(id.z, column, i32(firstRow) - 1);
  let first = cellsAround(id.z, column, i32(firstRow));
  let dt = beginStep(lane);
  if (i < basin.nx) {
    stepRows(id.z, i, firstRow, min(firstRow + ROWS, basin.ny), below, first, dt);
  }
  endStep(group, lane, dt);
}

// == batch ==
// Several steps of one length a dispatch, for states that are so small that a step takes no longer than its dispatch.
//
// A workgroup has a tile of cells in its memory: those that it owns, and around them as many as a dispatch takes steps, the outermost
// of which are out of date after each. Beyond a wall or an open side it has none: a neighbour there is the cell inside that
// represents it, as in a single step. Cells of several tiles are computed alike in each, to the last bit.
//
// Other workgroups learn in the next dispatch alone that a step went wrong. That one takes the steps again, from the state before them up to
// the one that went wrong, and finds its place. A run ends with a dispatch that has no steps of its own.
//
// Bindings: stepping.wgsl, basin, before, after, earlier (what the dispatch before had as `before`), batch. Workgroups: 16 × 16
// invocations along x and y, members along z; an invocation steps two neighbouring columns of two rows.

@group(0) @binding(5) var<storage, read> before: array<f32>;
@group(0) @binding(6) var<storage, read_write> after: array<f32>;
@group(0) @binding(7) var<storage, read> earlier: array<f32>;
@group(0) @binding(8) var<uniform> batch: Batch;

/// Steps of a dispatch at most: cells of a tile on each side of those that its workgroup owns.
override HALO: i32 = 5;
/// Cells of a tile along either axis, and in all.
const SIDE = 32;
const TILE = u32(SIDE * SIDE);
const LANES = 256u;

/// [variable][y][x]
var<workgroup> tile: array<f32, 3u * TILE>;

/// What a dispatch does: so many steps, counted from the last check.
struct Work {
  first: u32,
  steps: u32,
  isAgain: bool,
}

/// The same for all invocations of a workgroup.
var<workgroup> planned: Work;
var<private> work: Work;
/// Steps before the present one, since the last check.
var<private> stepsBefore: u32;
/// Column and row of the tile's first cell, which may lie beyond the grid.
var<private> origin: vec2i;

/// What an invocation's step has made of either row, until all have read what was before.
var<private> southern: mat2x3f;
var<private> northern: mat2x3f;

fn workOf() -> Work {
  let first = atomicLoad(&status[STEPS + slot.index]);
  let bad = atomicLoad(&status[BAD_STEP]);
  if (bad >= first) {
    return Work(first, batch.steps, false);
  }
  let firstEarlier = atomicLoad(&status[STEPS + (slot.index + 2u) % SLOTS]);
  if (bad >= firstEarlier) {
    return Work(firstEarlier, bad - firstEarlier + 1u, true);
  }
  return Work(first, 0u, false);
}

/// Index of the tile's column or row that represents the one at `at`, of an axis on which the tile begins at `start`. Beyond the tile it
/// may be any.
fn sourceInTile(at: i32, start: i32, size: u32, boundary: u32) -> Source {
  if (boundary == PERIODIC) {
    return Source(u32(clamp(at, 0, SIDE - 1)), 1.0);
  }
  let source = sourceOf(start + at, size, boundary);
  return Source(u32(clamp(i32(source.cell) - start, 0, SIDE - 1)), source.sign);
}

fn cellOf(i: i32, row: Source) -> vec3f {
  let column = sourceInTile(i, origin.x, basin.nx, basin.boundaryX);
  let t = row.cell * u32(SIDE) + column.cell;
  return vec3f(tile[t], column.sign * tile[t + TILE], row.sign * tile[t + 2u * TILE]);
}

/// Row `j` and columns `i` to `i + 1` of the tile.
fn cellsAround(member: u32, i: u32, j: i32) -> Cells {
  let row = sourceInTile(j, origin.y, basin.ny, basin.boundaryY);
  let a = i32(i);
  return Cells(cellOf(a - 1, row), cellOf(a, row), cellOf(a + 1, row), cellOf(a + 2, row));
}

/// Whether the workgroup owns the tile's cell at `at`.
fn isOwn(at: vec2i) -> bool {
  return all(at >= vec2i(HALO)) && all(at < vec2i(SIDE - HALO)) && all(origin + at < vec2i(vec2u(basin.nx, basin.ny)));
}

/// Records what is wrong with a cell. The first step that went wrong is known when all workgroups have taken theirs, and with it the place.
fn judge(member: u32, at: vec2i, q: vec3f) {
  if (!isOwn(at) || !isWrong(q, waveRate(basin, q.x, q.y, q.z))) {
    return;
  }
  if (work.isAgain) {
    let cell = vec2u(origin + at);
    atomicMin(&status[BAD_PLACE], (member * basin.ny + cell.y) * basin.nx + cell.x);
  } else {
    atomicMin(&status[BAD_STEP], stepsBefore);
  }
}

/// Keeps the cells of a pair after the step's last half of drag, and says what is wrong with them.
fn keep(member: u32, i: u32, j: u32, a: vec3f, b: vec3f, steppedA: vec3f, steppedB: vec3f, dt: f32) {
  let pair = mat2x3f(vec3f(1.0, drag, drag) * steppedA, vec3f(1.0, drag, drag) * steppedB);
  if (j % 2u == 0u) {
    southern = pair;
  } else {
    northern = pair;
  }
  judge(member, vec2i(vec2u(i, j)), pair[0]);
  judge(member, vec2i(vec2u(i + 1u, j)), pair[1]);
}

fn store(t: u32, q: vec3f) {
  tile[t] = q.x;
  tile[t + TILE] = q.y;
  tile[t + 2u * TILE] = q.z;
}

/// Whether one of two neighbours along an axis, the first of which is at `at`, is a cell and not a copy of one.
fn isInside(at: i32, size: u32, boundary: u32) -> bool {
  return boundary == PERIODIC || (at >= -1 && at < i32(size));
}

/// Where the fields have the variable 0 of the cell `t` of the tile.
fn placeOf(member: u32, t: u32) -> u32 {
  let at = origin + vec2i(vec2u(t % u32(SIDE), t / u32(SIDE)));
  let column = sourceOf(at.x, basin.nx, basin.boundaryX).cell;
  let row = sourceOf(at.y, basin.ny, basin.boundaryY).cell;
  return (member * 3u * basin.ny + row) * basin.nx + column;
}

@compute @workgroup_size(16, 16)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  if (lane == 0u) {
    planned = workOf();
  }
  let plan = workgroupUniformLoad(&planned);
  work = plan;
  origin = vec2i(group.xy) * (SIDE - 2 * HALO) - HALO;
  let cells = basin.nx * basin.ny;
  for (var t = lane; t < TILE; t += LANES) {
    let place = placeOf(group.z, t);
    if (plan.isAgain) {
      store(t, vec3f(earlier[place], earlier[place + cells], earlier[place + 2u * cells]));
    } else {
      store(t, vec3f(before[place], before[place + cells], before[place + 2u * cells]));
    }
  }
  workgroupBarrier();

  let dt = stepping.timeStep;
  shortest = dt;
  drag = dragIn(dt);
  let at = 2 * vec2i(local.xy);
  let isInBasin = isInside(origin.x + at.x, basin.nx, basin.boundaryX) && isInside(origin.y + at.y, basin.ny, basin.boundaryY);
  for (var s = 0u; s < plan.steps; s++) {
    stepsBefore = plan.first + s;
    // Of the cells around its own a workgroup needs one less on each side after every step.
    let unused = HALO + 1 - i32(plan.steps - s);
    let isNeeded = isInBasin && all(at + 1 >= vec2i(unused)) && all(at < vec2i(SIDE - unused));
    let i = u32(at.x);
    let j = u32(at.y);
    if (isNeeded) {
      stepRows(group.z, i, j, j + 2u, cellsAround(group.z, i, at.y - 1), cellsAround(group.z, i, at.y), dt);
    }
    workgroupBarrier();
    if (isNeeded) {
      let t = j * u32(SIDE) + i;
      store(t, southern[0]);
      store(t + 1u, southern[1]);
      store(t + u32(SIDE), northern[0]);
      store(t + u32(SIDE) + 1u, northern[1]);
    }
    workgroupBarrier();
  }

  for (var t = lane; t < TILE; t += LANES) {
    if (isOwn(vec2i(vec2u(t % u32(SIDE), t / u32(SIDE))))) {
      let place = placeOf(group.z, t);
      after[place] = tile[t];
      after[place + cells] = tile[t + TILE];
      after[place + 2u * cells] = tile[t + 2u * TILE];
    }
  }
  if (lane == 0u && all(group == vec3u(0u))) {
    atomicStore(&status[STEPS + (slot.index + 1u) % SLOTS], plan.first + plan.steps);
    if (plan.steps > 0u) {
      clock[TIME_STEP] = dt;
    }
  }
}
