// Kernels of the central-upwind scheme's step, linearised: linear.ts, linear-euler.ts and linear-face.ts have the equations.
//
// Two dispatches follow the two Euler steps and keep what the derivative needs (linear-euler.ts). Two more compute the tangent of each,
// or the adjoint in reverse order. After stage.wgsl, with its tile.

// == common ==
// Bindings: basin, step, bed, before, kept. Sections of `kept` are in cells: the state between the Euler steps, the mean, and the
// limits of each stage; after them come the shares of each stage, with a ring of cells around the basin.

@group(0) @binding(0) var<uniform> basin: Basin;
@group(0) @binding(1) var<uniform> step: Step;
@group(0) @binding(2) var<storage, read> bed: array<f32>;
@group(0) @binding(3) var<storage, read> before: array<f32>;

const ONCE = 0u;
const MEAN = 3u;
const LIMITS = 6u;
const SECTIONS = 8u;

fn cellCount() -> u32 {
  return basin.nx * basin.ny;
}

/// Three variables of a cell in a section of `kept`.
fn keptAt(section: u32, cell: u32) -> vec3f {
  let at = section * cellCount() + cell;
  return vec3f(kept[at], kept[at + cellCount()], kept[at + 2u * cellCount()]);
}

fn beforeAt(cell: u32) -> vec3f {
  return vec3f(before[cell], before[cell + cellCount()], before[cell + 2u * cellCount()]);
}

/// Index of the limit of a cell in this stage.
fn limitPlace(cell: u32) -> u32 {
  return (LIMITS + STAGE - 1u) * cellCount() + cell;
}

/// Index of the share of a cell in this stage; columns and rows from −1 to the number of cells.
fn sharePlace(i: i32, j: i32) -> u32 {
  let width = basin.nx + 2u;
  let column = u32(clamp(i, -1, i32(basin.nx)) + 1);
  let row = u32(clamp(j, -1, i32(basin.ny)) + 1);
  return SECTIONS * cellCount() + (STAGE - 1u) * width * (basin.ny + 2u) + row * width + column;
}

/// The state at the start of a stage, as in stage.wgsl; there is one member.
fn atStart(i: u32, cells: u32) -> vec3f {
  if (STAGE == 2u) {
    return keptAt(ONCE, i);
  }
  return beforeAt(i);
}

/// A cell of the own cells and those around them: in the tile, its column and row, and whether it is an own cell.
struct Place {
  t: u32,
  i: i32,
  j: i32,
  isOwn: bool,
}

fn placeOf(group: vec3u, local: vec2u) -> Place {
  let i = i32(group.x * OWN_X + local.x) - i32(AHEAD);
  let j = i32(group.y * OWN_Y + local.y) - i32(AHEAD);
  let isInner = all(local >= vec2u(AHEAD)) && all(local < vec2u(AHEAD) + vec2u(OWN_X, OWN_Y));
  let isInside = i >= 0 && j >= 0 && i < i32(basin.nx) && j < i32(basin.ny);
  return Place((local.y + 2u) * WIDTH + local.x + 2u, i, j, isInner && isInside);
}

/// Loads the tile; `awaitTile` has to follow.
fn loadTile(group: vec3u, lane: u32) {
  for (var t = lane; t < TILE; t += LANES) {
    keepInTile(t, cellOfTile(t, group), step.seconds);
  }
}

// == follow ==
// An Euler step from the state at the start of a stage. It keeps its limits and shares; stage 1 keeps the state after the step, stage 2
// the mean with the state before both steps.

@group(0) @binding(4) var<storage, read_write> kept: array<f32>;

fn keep(section: u32, cell: u32, values: vec3f) {
  let at = section * cellCount() + cell;
  kept[at] = values.x;
  kept[at + cellCount()] = values.y;
  kept[at + 2u * cellCount()] = values.z;
}

@compute @workgroup_size(LANES_X, LANES_Y)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let place = placeOf(group, local.xy);
  loadTile(group, lane);
  awaitTile();
  let t = place.t;
  // A loop, and so one copy of the code for both axes.
  var inner: vec2f;
  for (var axis = 0u; axis < 2u; axis++) {
    inner[axis] = nearFace(t, select(1u, WIDTH, axis == 1u), axis * LANES + lane);
  }
  workgroupBarrier();
  let around = facesAround(lane);
  let share = shareOf(around, t, step.seconds);
  shares[lane] = share;
  let isRing = place.i == -1 || place.j == -1 || place.i == i32(basin.nx) || place.j == i32(basin.ny);
  let hasFarFaces = all(local.xy < vec2u(LANES_X, LANES_Y) - 1u);
  if (place.isOwn || (isRing && hasFarFaces && place.i <= i32(basin.nx) && place.j <= i32(basin.ny))) {
    kept[sharePlace(place.i, place.j)] = share;
  }
  workgroupBarrier();
  if (place.isOwn) {
    let cell = u32(place.j) * basin.nx + u32(place.i);
    let ground = bed[cell];
    let state = beforeAt(cell);
    let rubbed = afterFriction(state, ground, 0.5 * step.seconds);
    var start = rubbed;
    if (STAGE == 2u) {
      start = keptAt(ONCE, cell);
    }
    let stepped = grounded(eulerStep(start, around, inner, lane, u32(place.j), step.seconds), ground);
    let slowing = slowdown(stepped, t);
    let after = vec3f(stepped.x, slowing * stepped.yz);
    kept[limitPlace(cell)] = select(-1.0, select(0.0, slowing, after.x - ground > basin.dryDepth), after.x > ground);
    if (STAGE == 1u) {
      keep(ONCE, cell, after);
    } else {
      keep(MEAN, cell, 0.5 * (rubbed + after));
    }
  }
}

// == linear-faces ==
// Reconstruction and fluxes, linearised. Pairs of numbers are those of the left and of the right side of a face.

/// A cell with its sides: the weights of its differences from the cell before and to the cell after in its slopes, and 1 where the
/// ground at a side, near or far, is the water's own surface.
struct Reconstructed {
  sides: Sides,
  before: vec3f,
  after: vec3f,
  grounded: vec2f,
}

fn reconstructed(t: u32, stride: u32) -> Reconstructed {
  let cell = tile[t];
  let a = tile[t - stride];
  let b = tile[t + stride];
  let q = alongAxis(cell, stride);
  let down = q - alongAxis(a, stride);
  let up = alongAxis(b, stride) - q;
  let isSteep = 0.5 * abs(down + up) > THETA * min(abs(down), abs(up));
  let downIsLeast = abs(down) <= abs(up);
  let isSlope = down * up > vec3f(0.0);
  var before = select(vec3f(0.0), select(vec3f(0.5), select(vec3f(0.0), vec3f(THETA), downIsLeast), isSteep), isSlope);
  var after = select(vec3f(0.0), select(vec3f(0.5), select(vec3f(THETA), vec3f(0.0), downIsLeast), isSteep), isSlope);
  var dry = false;
  if (!isWet) {
    dry = isDry(cell);
    let dryBefore = isDry(a);
    let dryAfter = isDry(b);
    let blocksBefore = vec3<bool>(dryBefore && down.x < 0.0, dryBefore, dryBefore);
    let blocksAfter = vec3<bool>(dryAfter && up.x > 0.0, dryAfter, dryAfter);
    before = select(before, vec3f(select(1.0, 0.0, dryBefore)), blocksAfter);
    after = select(after, vec3f(0.0), blocksAfter);
    before = select(before, vec3f(0.0), blocksBefore | vec3<bool>(dry));
    after = select(after, vec3f(select(1.0, 0.0, dryAfter)), blocksBefore);
    after = select(after, vec3f(0.0), vec3<bool>(dry));
  }
  let rise = 0.5 * (before * down + after * up);
  let near = q - rise;
  let far = q + rise;
  let ground = 0.5 * vec2f(cell.w + a.w, cell.w + b.w);
  let isGrounded = (ground > vec2f(near.x, far.x)) & vec2<bool>(!dry);
  let sides = Sides(
    Side(near, select(min(ground.x, near.x), cell.w, dry)),
    Side(far, select(min(ground.y, far.x), cell.w, dry)),
  );
  return Reconstructed(sides, before, after, select(vec2f(0.0), vec2f(1.0), isGrounded));
}

/// A face about which fluxes are linearised: depths above the higher bed, velocities, discharges, and whether a side is above that bed.
struct FaceState {
  h: vec2f,
  u: vec2f,
  q: vec2f,
  isAbove: vec2<bool>,
  bedIsLeft: bool,
  /// η₊ − η₋
  rise: f32,
  /// The fastest and the slowest wave, and 1 for the side that it belongs to.
  a: f32,
  b: f32,
  fastest: vec2f,
  slowest: vec2f,
  inverse: f32,
  weights: vec2f,
  diffusion: f32,
  /// ½ √(g/h): how the speed of a wave grows with the depth.
  perDepth: vec2f,
  pressureRise: f32,
  /// Flux of water.
  water: f32,
}

fn faceStateOf(left: Side, right: Side) -> FaceState {
  var face: FaceState;
  face.bedIsLeft = left.ground >= right.ground;
  let higher = select(right.ground, left.ground, face.bedIsLeft);
  let eta = vec2f(left.q.x, right.q.x);
  face.isAbove = eta > vec2f(higher);
  face.h = select(vec2f(0.0), eta - higher, face.isAbove);
  face.u = vec2f(left.q.y, right.q.y);
  face.q = face.h * face.u;
  face.rise = face.h.y - face.h.x;
  let c = sqrt(basin.gravity * face.h);
  for (var side = 0u; side < 2u; side++) {
    if (face.h[side] > 0.0) {
      let own = select(vec2f(0.0), vec2f(1.0), vec2u(0u, 1u) == vec2u(side));
      if (face.u[side] + c[side] > face.a) {
        face.a = face.u[side] + c[side];
        face.fastest = own;
      }
      if (face.u[side] - c[side] < face.b) {
        face.b = face.u[side] - c[side];
        face.slowest = own;
      }
    }
  }
  face.inverse = select(0.0, 1.0 / (face.a - face.b), face.a > face.b);
  face.weights = vec2f(face.a, -face.b) * face.inverse;
  face.diffusion = face.a * face.weights.y;
  face.perDepth = select(vec2f(0.0), 0.5 * sqrt(basin.gravity / face.h), face.h > vec2f(0.0));
  face.pressureRise = 0.5 * basin.gravity * (face.h.x + face.h.y) * face.rise;
  face.water = face.weights.x * face.q.x + face.weights.y * face.q.y - face.diffusion * face.rise;
  return face;
}

/// The share of the outflow of the cell from which water comes through the near face of the cell in column `i` and row `j`.
fn shareThrough(water: f32, i: i32, j: i32, isAlongX: bool) -> f32 {
  let back = select(vec2i(0), select(vec2i(0, 1), vec2i(1, 0), isAlongX), water > 0.0);
  return kept[sharePlace(i - back.x, j - back.y)];
}
