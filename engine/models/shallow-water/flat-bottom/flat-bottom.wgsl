// What the kernels of the schemes for a flat bottom share.

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

// == keep ==
// What the kernels of the schemes for a flat bottom share: their bindings, how cells are read and written, and how a step ends.
// Bindings: stepping.wgsl, basin, before, after. Workgroups: 32 × 4 invocations along x and y, members along z; an invocation
// steps two neighbouring columns, up ROWS rows. How the two are read and written: `pairs-aligned` or `pairs-anywhere`.

/// Rows that an invocation steps.
override ROWS: u32 = 4u;

@group(0) @binding(4) var<uniform> basin: Basin;

/// Length of the step, read once for all.
var<workgroup> seconds: f32;
/// The largest wave rate of the cells of this workgroup, as bits, and of those of this invocation.
var<workgroup> largest: atomic<u32>;
var<private> fastest: f32;
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

/// Row `j` and columns `i` to `i + 1` of a member that begins at `base`; the row may lie beyond the grid, and the second column.
fn cellsAround(base: u32, i: u32, j: i32) -> Cells {
  let row = sourceOf(j, basin.ny, basin.boundaryY);
  let start = base + row.cell * basin.nx;
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

/// What drag leaves of the momenta in half a step: 1 without, to the last bit.
var<private> drag: f32;

/// Cells after half a step of drag, with which a step begins.
fn dragged(cells: Cells) -> Cells {
  let factor = vec3f(1.0, drag, drag);
  return Cells(factor * cells.west, factor * cells.a, factor * cells.b, factor * cells.east);
}

/// Length of the step of a member. To be reached by all invocations; what they read before it is on its way meanwhile.
fn beginStep(member: u32, lane: u32) -> f32 {
  belongTo(member);
  shortest = shortestStep();
  if (lane == 0u) {
    seconds = stepSeconds();
  }
  let dt = workgroupUniformLoad(&seconds);
  drag = select(1.0, exp(-0.5 * basin.drag * dt), basin.drag * dt > 0.0);
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
  let isFaultyA = p.x <= 0.0 || isFaulty(p, shortest * rateA);
  if (steps && (isFaultyA || (isPair && (q.x <= 0.0 || isFaulty(q, shortest * rateB))))) {
    recordFault(member * cells + cell + select(1u, 0u, isFaultyA));
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
  if (lane == 0u && isFirst(group)) {
    passOn(dt);
  }
}
