// The step of a scheme for a flat bottom, linearised: see linear.ts for the equations.
//
// A workgroup loads its cells and those around them into a tile. Then each invocation computes the places at the lower sides of its
// cell, a corner or two faces: the half step q½ there, and the change (tangent: δf and δg at q½) or the sensitivity (adjoint: λ½).
// Last, it adds up these from the places around its cell. The rightmost and the uppermost invocations have places only, no cell.
//
// The adjoint adds the sensitivity to a ghost cell to that of the cell that it copies. Behind a wall and in a periodic basin that is the
// same as if the sensitivity continued there as the state does. At an open side a place has a cell and its own ghost cell: the mean
// counts twice, the difference does not count, and the sensitivity beyond is 0.
//
// Bindings: parameters, before, input, output. Workgroups: LANES_X × LANES_Y invocations, of which one less have a cell, along x and y.

// == common ==

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> before: array<f32>;
@group(0) @binding(2) var<storage, read> input: array<f32>;
@group(0) @binding(3) var<storage, read_write> output: array<f32>;

override IS_ADJOINT: bool;
/// Invocations of a workgroup along x and y.
override LANES_X: u32 = 16u;
override LANES_Y: u32 = 16u;
override LANES: u32 = LANES_X * LANES_Y;
override WIDTH: u32 = LANES_X + 1u;
override TILE: u32 = WIDTH * (LANES_Y + 1u);

/// h, u, v, and the input, a change or a sensitivity: [variable][cell of the tile].
var<workgroup> states: array<f32, 3u * TILE>;
var<workgroup> vectors: array<f32, 3u * TILE>;
/// What is computed at places: two vectors an invocation, [variable][invocation].
var<workgroup> made: array<f32, 6u * LANES>;

/// Depth and velocities.
struct Flow {
  h: f32,
  u: f32,
  v: f32,
}

/// A d, A = f′
fn alongX(q: Flow, d: vec3f) -> vec3f {
  return vec3f(
    d.y,
    (parameters.gravity * q.h - q.u * q.u) * d.x + 2.0 * q.u * d.y,
    q.u * d.z + q.v * d.y - q.u * q.v * d.x,
  );
}

/// B d, B = g′
fn alongY(q: Flow, d: vec3f) -> vec3f {
  return vec3f(
    d.z,
    q.v * d.y + q.u * d.z - q.u * q.v * d.x,
    (parameters.gravity * q.h - q.v * q.v) * d.x + 2.0 * q.v * d.z,
  );
}

/// Aᵀ d
fn alongXAdjoint(q: Flow, d: vec3f) -> vec3f {
  return vec3f(
    (parameters.gravity * q.h - q.u * q.u) * d.y - q.u * q.v * d.z,
    d.x + 2.0 * q.u * d.y + q.v * d.z,
    q.u * d.z,
  );
}

/// Bᵀ d
fn alongYAdjoint(q: Flow, d: vec3f) -> vec3f {
  return vec3f(
    (parameters.gravity * q.h - q.v * q.v) * d.z - q.u * q.v * d.y,
    q.v * d.y,
    d.x + q.u * d.y + 2.0 * q.v * d.z,
  );
}

/// f and g of a state.
struct Fluxes {
  x: vec3f,
  y: vec3f,
}

fn conserved(q: Flow) -> vec3f {
  return vec3f(q.h, q.h * q.u, q.h * q.v);
}

fn fluxesOf(q: Flow) -> Fluxes {
  let momentum = q.h * vec2f(q.u, q.v);
  let pressure = 0.5 * parameters.gravity * q.h * q.h;
  let across = momentum.x * q.v;
  return Fluxes(vec3f(momentum.x, momentum.x * q.u + pressure, across), vec3f(momentum.y, across, momentum.y * q.v + pressure));
}

fn flowOf(q: vec3f) -> Flow {
  return Flow(q.x, q.y / q.x, q.z / q.x);
}

fn stateAt(t: u32) -> Flow {
  return Flow(states[t], states[t + TILE], states[t + 2u * TILE]);
}

fn vectorAt(t: u32) -> vec3f {
  return vec3f(vectors[t], vectors[t + TILE], vectors[t + 2u * TILE]);
}

/// The sensitivity of a cell; `inside` is 0 beyond an open side, otherwise 1.
fn sensitivityAt(t: u32, inside: f32) -> vec3f {
  return inside * vectorAt(t);
}

fn keepMade(first: u32, lane: u32, d: vec3f) {
  made[first * LANES + lane] = d.x;
  made[(first + 1u) * LANES + lane] = d.y;
  made[(first + 2u) * LANES + lane] = d.z;
}

fn madeAt(first: u32, lane: u32) -> vec3f {
  return vec3f(made[first * LANES + lane], made[(first + 1u) * LANES + lane], made[(first + 2u) * LANES + lane]);
}

/// 0 for an index beyond an open side of an axis, otherwise 1.
fn insideOf(index: i32, size: u32, boundary: u32) -> f32 {
  let isOutside = index < 0 || index >= i32(size);
  return select(1.0, 0.0, isOutside && boundary != WALL && boundary != PERIODIC);
}

/// Weights of the places before and after the cell `index` of an axis: in the mean, and in the difference.
struct Weights {
  mean: vec2f,
  difference: vec2f,
}

fn weightsOf(index: u32, size: u32, boundary: u32) -> Weights {
  let isOpen = boundary != WALL && boundary != PERIODIC;
  let atEdge = vec2<bool>(isOpen && index == 0u, isOpen && index + 1u == size);
  return Weights(select(vec2f(1.0), vec2f(2.0), atEdge), select(vec2f(1.0, -1.0), vec2f(0.0), atEdge));
}

/// δₓ²δᵧ² of the vector, which is its own adjoint.
fn checkerboard(t: u32) -> vec3f {
  let south = vectorAt(t - WIDTH - 1u) - 2.0 * vectorAt(t - WIDTH) + vectorAt(t - WIDTH + 1u);
  let here = vectorAt(t - 1u) - 2.0 * vectorAt(t) + vectorAt(t + 1u);
  let north = vectorAt(t + WIDTH - 1u) - 2.0 * vectorAt(t + WIDTH) + vectorAt(t + WIDTH + 1u);
  return south - 2.0 * here + north;
}

/// Loads the cell `t` of the tile, which begins one cell below and left of the workgroup's own. Momenta after half a step of drag.
fn load(t: u32, group: vec3u) {
  let x = sourceOf(i32(group.x * (LANES_X - 1u) + t % WIDTH) - 1, parameters.nx, parameters.boundaryX);
  let y = sourceOf(i32(group.y * (LANES_Y - 1u) + t / WIDTH) - 1, parameters.ny, parameters.boundaryY);
  let cells = parameters.nx * parameters.ny;
  let cell = y.cell * parameters.nx + x.cell;
  let signs = parameters.drag * vec2f(x.sign, y.sign);
  let h = before[cell];
  states[t] = h;
  states[t + TILE] = signs.x * before[cell + cells] / h;
  states[t + 2u * TILE] = signs.y * before[cell + 2u * cells] / h;
  vectors[t] = input[cell];
  vectors[t + TILE] = signs.x * input[cell + cells];
  vectors[t + 2u * TILE] = signs.y * input[cell + 2u * cells];
}

@compute @workgroup_size(LANES_X, LANES_Y)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  for (var t = lane; t < TILE; t += LANES) {
    load(t, group);
  }
  workgroupBarrier();
  let i = group.x * (LANES_X - 1u) + local.x;
  let j = group.y * (LANES_Y - 1u) + local.y;
  let t = (local.y + 1u) * WIDTH + local.x + 1u;
  makePlaces(t, lane, i32(i), i32(j));
  workgroupBarrier();
  if (local.x + 1u < LANES_X && local.y + 1u < LANES_Y && i < parameters.nx && j < parameters.ny) {
    var changed = vectorAt(t) + gathered(t, lane, i, j);
    if (parameters.damping != 0.0) {
      changed -= parameters.damping * checkerboard(t);
    }
    let cells = parameters.nx * parameters.ny;
    let cell = j * parameters.nx + i;
    output[cell] = changed.x;
    output[cell + cells] = parameters.drag * changed.y;
    output[cell + 2u * cells] = parameters.drag * changed.z;
  }
}

// == corners ==
// Half steps at the corner of four cells, the first vector of `made` being δf or λ½, the second δg.

/// The corner below and left of the cell `t` at column `i` and row `j`.
fn makePlaces(t: u32, lane: u32, i: i32, j: i32) {
  let half = 0.5 * vec2f(parameters.fullX, parameters.fullY);
  let around = vec4u(t - WIDTH - 1u, t - WIDTH, t - 1u, t);
  let sw = stateAt(around.x);
  let se = stateAt(around.y);
  let nw = stateAt(around.z);
  let ne = stateAt(around.w);
  let fluxes = array(fluxesOf(sw), fluxesOf(se), fluxesOf(nw), fluxesOf(ne));
  // Sums of pairs across a wall are exactly 0 where they are odd.
  let q = flowOf(
    0.25 * ((conserved(sw) + conserved(se)) + (conserved(nw) + conserved(ne))) -
      half.x * ((fluxes[1].x + fluxes[3].x) - (fluxes[0].x + fluxes[2].x)) -
      half.y * ((fluxes[2].y + fluxes[3].y) - (fluxes[0].y + fluxes[1].y)),
  );
  if (IS_ADJOINT) {
    let west = insideOf(i - 1, parameters.nx, parameters.boundaryX);
    let east = insideOf(i, parameters.nx, parameters.boundaryX);
    let south = insideOf(j - 1, parameters.ny, parameters.boundaryY);
    let north = insideOf(j, parameters.ny, parameters.boundaryY);
    let a = sensitivityAt(around.x, west * south);
    let b = sensitivityAt(around.y, east * south);
    let c = sensitivityAt(around.z, west * north);
    let d = sensitivityAt(around.w, east * north);
    let x = parameters.fullX * ((b + d) - (a + c));
    let y = parameters.fullY * ((c + d) - (a + b));
    keepMade(0u, lane, alongXAdjoint(q, x) + alongYAdjoint(q, y));
  } else {
    let a = vectorAt(around.x);
    let b = vectorAt(around.y);
    let c = vectorAt(around.z);
    let d = vectorAt(around.w);
    let changed = 0.25 * ((a + b) + (c + d)) -
      half.x * ((alongX(se, b) + alongX(ne, d)) - (alongX(sw, a) + alongX(nw, c))) -
      half.y * ((alongY(nw, c) + alongY(ne, d)) - (alongY(sw, a) + alongY(se, b)));
    keepMade(0u, lane, alongX(q, changed));
    keepMade(3u, lane, alongY(q, changed));
  }
}

fn gathered(t: u32, lane: u32, i: u32, j: u32) -> vec3f {
  let lanes = vec4u(lane, lane + 1u, lane + LANES_X, lane + LANES_X + 1u);
  if (!IS_ADJOINT) {
    let x = (madeAt(0u, lanes.x) + madeAt(0u, lanes.z)) - (madeAt(0u, lanes.y) + madeAt(0u, lanes.w));
    let y = (madeAt(3u, lanes.x) + madeAt(3u, lanes.y)) - (madeAt(3u, lanes.z) + madeAt(3u, lanes.w));
    return parameters.fullX * x + parameters.fullY * y;
  }
  let x = weightsOf(i, parameters.nx, parameters.boundaryX);
  let y = weightsOf(j, parameters.ny, parameters.boundaryY);
  let sw = madeAt(0u, lanes.x);
  let se = madeAt(0u, lanes.y);
  let nw = madeAt(0u, lanes.z);
  let ne = madeAt(0u, lanes.w);
  let south = x.mean.x * sw + x.mean.y * se;
  let north = x.mean.x * nw + x.mean.y * ne;
  let southern = x.difference.x * sw + x.difference.y * se;
  let northern = x.difference.x * nw + x.difference.y * ne;
  let mean = y.mean.x * south + y.mean.y * north;
  let acrossX = y.mean.x * southern + y.mean.y * northern;
  let acrossY = y.difference.x * south + y.difference.y * north;
  let q = stateAt(t);
  return 0.25 * mean - 0.5 * parameters.fullX * alongXAdjoint(q, acrossX) - 0.5 * parameters.fullY * alongYAdjoint(q, acrossY);
}

// == faces ==
// Half steps on faces, the first vector of `made` being δf or λ½ of the face along x, the second δg or λ½ of the one along y.

/// The faces left of the cell `t` at column `i` and row `j`, and below it.
fn makePlaces(t: u32, lane: u32, i: i32, j: i32) {
  let half = 0.5 * vec2f(parameters.fullX, parameters.fullY);
  let here = stateAt(t);
  let west = stateAt(t - 1u);
  let south = stateAt(t - WIDTH);
  let fluxes = fluxesOf(here);
  let qx = flowOf(0.5 * (conserved(west) + conserved(here)) - half.x * (fluxes.x - fluxesOf(west).x));
  let qy = flowOf(0.5 * (conserved(south) + conserved(here)) - half.y * (fluxes.y - fluxesOf(south).y));
  if (IS_ADJOINT) {
    let insideX = insideOf(i, parameters.nx, parameters.boundaryX);
    let insideY = insideOf(j, parameters.ny, parameters.boundaryY);
    let fromWest = sensitivityAt(t - 1u, insideOf(i - 1, parameters.nx, parameters.boundaryX));
    let fromSouth = sensitivityAt(t - WIDTH, insideOf(j - 1, parameters.ny, parameters.boundaryY));
    keepMade(0u, lane, parameters.fullX * alongXAdjoint(qx, sensitivityAt(t, insideX) - fromWest));
    keepMade(3u, lane, parameters.fullY * alongYAdjoint(qy, sensitivityAt(t, insideY) - fromSouth));
  } else {
    let d = vectorAt(t);
    let fromWest = vectorAt(t - 1u);
    let fromSouth = vectorAt(t - WIDTH);
    keepMade(0u, lane, alongX(qx, 0.5 * (fromWest + d) - half.x * (alongX(here, d) - alongX(west, fromWest))));
    keepMade(3u, lane, alongY(qy, 0.5 * (fromSouth + d) - half.y * (alongY(here, d) - alongY(south, fromSouth))));
  }
}

fn gathered(t: u32, lane: u32, i: u32, j: u32) -> vec3f {
  let west = madeAt(0u, lane);
  let east = madeAt(0u, lane + 1u);
  let south = madeAt(3u, lane);
  let north = madeAt(3u, lane + LANES_X);
  if (!IS_ADJOINT) {
    return parameters.fullX * (west - east) + parameters.fullY * (south - north);
  }
  let x = weightsOf(i, parameters.nx, parameters.boundaryX);
  let y = weightsOf(j, parameters.ny, parameters.boundaryY);
  let q = stateAt(t);
  let acrossX = x.difference.x * west + x.difference.y * east;
  let acrossY = y.difference.x * south + y.difference.y * north;
  return 0.5 * (x.mean.x * west + x.mean.y * east + y.mean.x * south + y.mean.y * north) -
    0.5 * parameters.fullX * alongXAdjoint(q, acrossX) - 0.5 * parameters.fullY * alongYAdjoint(q, acrossY);
}
