// What the kernels of the schemes for a flat bottom share.

// == quads-aligned ==
// The state if the cells of a row are a multiple of four: a vector holds the four of an invocation.

@group(0) @binding(5) var<storage, read> before: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> after: array<vec4f>;

/// The cells at columns `i` to `i + 3` of the row that begins at `start`.
fn quadBefore(start: u32, i: u32) -> Quad {
  let place = (start + i) / 4u;
  let plane = basin.nx * basin.ny / 4u;
  return Quad(before[place], before[place + plane], before[place + 2u * plane]);
}

/// The cells beside them. A vector's last cell comes before the next one's first; the ends of a row are those of the basin.
fn besideBefore(start: u32, i: u32, quad: Quad) -> Beside {
  let place = (start + i) / 4u;
  let plane = basin.nx * basin.ny / 4u;
  let isFirst = i == 0u;
  let isLast = i + 4u == basin.nx;
  let west = select(place, place + basin.nx / 4u, isFirst) - 1u;
  let east = select(place + 1u, start / 4u, isLast);
  var beside = Beside(
    vec3f(before[west].w, before[west + plane].w, before[west + 2u * plane].w),
    vec3f(before[east].x, before[east + plane].x, before[east + 2u * plane].x),
  );
  if (basin.boundaryX != PERIODIC) {
    let sign = select(1.0, -1.0, basin.boundaryX == WALL);
    if (isFirst) {
      beside.west = vec3f(quad.h.x, sign * quad.hu.x, quad.hv.x);
    }
    if (isLast) {
      beside.east = vec3f(quad.h.w, sign * quad.hu.w, quad.hv.w);
    }
  }
  return beside;
}

fn storeQuad(place: u32, i: u32, quad: Quad) {
  let plane = basin.nx * basin.ny / 4u;
  after[place / 4u] = quad.h;
  after[place / 4u + plane] = quad.hu;
  after[place / 4u + 2u * plane] = quad.hv;
}

// == quads-anywhere ==
// The state of other rows: the four cells of an invocation begin anywhere, and the last of a row may be fewer.

@group(0) @binding(5) var<storage, read> before: array<f32>;
@group(0) @binding(6) var<storage, read_write> after: array<f32>;

/// The cell of the row that begins at `start` which column `i` has its water from.
fn cellBefore(start: u32, i: i32) -> vec3f {
  let source = sourceOf(i, basin.nx, basin.boundaryX);
  let cells = basin.nx * basin.ny;
  let place = start + source.cell;
  return vec3f(before[place], source.sign * before[place + cells], before[place + 2u * cells]);
}

/// The cells at columns `i` to `i + 3`, some of which may lie beyond the basin.
fn quadBefore(start: u32, i: u32) -> Quad {
  let a = cellBefore(start, i32(i));
  let b = cellBefore(start, i32(i) + 1);
  let c = cellBefore(start, i32(i) + 2);
  let d = cellBefore(start, i32(i) + 3);
  return Quad(vec4f(a.x, b.x, c.x, d.x), vec4f(a.y, b.y, c.y, d.y), vec4f(a.z, b.z, c.z, d.z));
}

fn besideBefore(start: u32, i: u32, quad: Quad) -> Beside {
  return Beside(cellBefore(start, i32(i) - 1), cellBefore(start, i32(i) + 4));
}

fn storeQuad(place: u32, i: u32, quad: Quad) {
  let cells = basin.nx * basin.ny;
  for (var k = 0u; k < min(4u, basin.nx - i); k++) {
    after[place + k] = quad.h[k];
    after[place + k + cells] = quad.hu[k];
    after[place + k + 2u * cells] = quad.hv[k];
  }
}

// == keep ==
// What the kernels of the schemes for a flat bottom share: their bindings, how cells are read and written, and how a step ends.
// Bindings: stepping.wgsl, basin, before, after. Workgroups: 64 × 2 invocations along x and y, members along z; an invocation
// steps four neighbouring columns, up ROWS rows. How the four are read and written: `quads-aligned` or `quads-anywhere`.

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

/// Four cells side by side.
struct Quad {
  h: vec4f,
  hu: vec4f,
  hv: vec4f,
}

/// h, hu, hv of the cells on either side of a quad.
struct Beside {
  west: vec3f,
  east: vec3f,
}

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

/// h, hu, hv of six cells of a row: an invocation's own four columns, a to d, and one on either side.
struct Cells {
  west: vec3f,
  a: vec3f,
  b: vec3f,
  c: vec3f,
  d: vec3f,
  east: vec3f,
}

/// Row `j` and columns `i` to `i + 3` of a member that begins at `base`; the row may lie beyond the grid.
fn cellsAround(base: u32, i: u32, j: i32) -> Cells {
  let row = sourceOf(j, basin.ny, basin.boundaryY);
  let start = base + row.cell * basin.nx;
  let quad = quadBefore(start, i);
  let beside = besideBefore(start, i, quad);
  let signs = vec3f(1.0, 1.0, row.sign);
  return Cells(
    signs * beside.west,
    signs * vec3f(quad.h.x, quad.hu.x, quad.hv.x),
    signs * vec3f(quad.h.y, quad.hu.y, quad.hv.y),
    signs * vec3f(quad.h.z, quad.hu.z, quad.hv.z),
    signs * vec3f(quad.h.w, quad.hu.w, quad.hv.w),
    signs * beside.east,
  );
}

/// What drag leaves of the momenta in half a step: 1 without, to the last bit.
var<private> drag: f32;

/// Cells after half a step of drag, with which a step begins.
fn dragged(cells: Cells) -> Cells {
  let factor = vec3f(1.0, drag, drag);
  return Cells(
    factor * cells.west,
    factor * cells.a,
    factor * cells.b,
    factor * cells.c,
    factor * cells.d,
    factor * cells.east,
  );
}

/// The first of the four columns of an invocation; one beyond the grid reads the last columns and writes nothing.
fn firstColumn(id: vec3u) -> u32 {
  return min(4u * id.x, (basin.nx - 1u) / 4u * 4u);
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

/// A cell after the step's last half of drag. Without a step the state is handed through as it is: what is wrong with it may not be
/// finite.
fn ended(cell: vec3f, stepped: vec3f, dt: f32) -> vec3f {
  return select(cell, vec3f(1.0, drag, drag) * stepped, dt > 0.0);
}

/// Whether something is wrong with a cell, if it is there; notes how fast its waves are.
fn isBad(q: vec3f, isThere: bool) -> bool {
  let rate = select(0.0, waveRate(basin, q.x, q.y, q.z), isThere);
  fastest = max(fastest, rate);
  return isThere && (q.x <= 0.0 || isFaulty(q, shortest * rate));
}

/// Writes four cells at the end of a step, and says what is wrong with them.
fn keep(member: u32, i: u32, j: u32, a: vec3f, b: vec3f, c: vec3f, d: vec3f, dt: f32) {
  let cells = basin.nx * basin.ny;
  let cell = j * basin.nx + i;
  let quad = Quad(vec4f(a.x, b.x, c.x, d.x), vec4f(a.y, b.y, c.y, d.y), vec4f(a.z, b.z, c.z, d.z));
  storeQuad(member * 3u * cells + cell, i, quad);
  let left = basin.nx - i;
  let bad = vec4<bool>(isBad(a, true), isBad(b, left > 1u), isBad(c, left > 2u), isBad(d, left > 3u));
  if (dt > 0.0 && any(bad)) {
    recordFault(member * cells + cell + select(select(select(3u, 2u, bad.z), 1u, bad.y), 0u, bad.x));
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
