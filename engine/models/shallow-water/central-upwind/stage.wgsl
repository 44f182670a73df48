// Kernels of the central-upwind scheme: see index.ts for the equations.

// == tile ==
// The cells of a workgroup and those around them. The kernel defines `basin`, `bed`, STAGE and `atStart`.

override STAGE: u32;

/// θ of the generalised minmod limiter.
const THETA = 1.5;
/// Invocations of a workgroup along x and y: cells of its own, and those around them.
override LANES_X: u32 = 16u;
override LANES_Y: u32 = 16u;
override LANES: u32 = LANES_X * LANES_Y;
/// Invocations before the first cell that is the workgroup's own, along each axis; as many come after the last one, and one more.
override AHEAD: u32 = 1u;
/// Cells of its own.
override OWN_X: u32 = LANES_X - 1u - 2u * AHEAD;
override OWN_Y: u32 = LANES_Y - 1u - 2u * AHEAD;
/// Columns and cells of the tile; an invocation reads two cells of it at most.
override WIDTH: u32 = LANES_X + 3u;
override TILE: u32 = WIDTH * (LANES_Y + 3u);

/// A cell's state at one of its faces: η, normal, tangential velocity, and the bed.
struct Side {
  q: vec3f,
  ground: f32,
}

/// The two sides of a cell: near (towards lower indices) and far.
struct Sides {
  near: Side,
  far: Side,
}

/// η, u, v, bed.
var<workgroup> tile: array<vec4f, TILE>;
/// How many cells of the tile are dry.
var<workgroup> dryCells: atomic<u32>;
/// Whether none is: then there are no shores.
var<private> isWet: bool;

/// Waits until all invocations have put their cells into the tile.
fn awaitTile() {
  workgroupBarrier();
  isWet = atomicLoad(&dryCells) == 0u;
}

/// Factor by which the bed slows a flow: the exact solution of dq/dt = −g n² |q| q / h^(7/3) at constant depth, between two halves
/// of the linear drag.
fn frictionFactor(h: f32, q: vec2f, duration: f32) -> f32 {
  if ((basin.manning == 0.0 && basin.drag == 0.0) || h <= basin.dryDepth) {
    return 1.0;
  }
  let half = select(1.0, exp(-0.5 * basin.drag * duration), basin.drag * duration > 0.0);
  let rough = basin.gravity * basin.manning * basin.manning * half * length(q) / (h * h * pow(h, 1.0 / 3.0));
  return half * half / (1.0 + duration * rough);
}

fn afterFriction(q: vec3f, elevation: f32, duration: f32) -> vec3f {
  return vec3f(q.x, q.yz * frictionFactor(q.x - elevation, q.yz, duration));
}

/// Generalised minmod of one-sided differences.
fn limitedSlopes(before: vec3f, after: vec3f) -> vec3f {
  let steepest = select(vec3f(0.0), THETA * min(abs(before), abs(after)), before * after > vec3f(0.0));
  return clamp(0.5 * (before + after), -steepest, steepest);
}

fn isDry(cell: vec4f) -> bool {
  return cell.x - cell.w <= basin.dryDepth;
}

/// η, normal, tangential velocity.
fn alongAxis(cell: vec4f, stride: u32) -> vec3f {
  return select(cell.xzy, cell.xyz, stride == 1u);
}

/// Both sides of the cell `t` of the tile, along x (stride 1) or y (stride WIDTH).
fn reconstruct(t: u32, stride: u32) -> Sides {
  let cell = tile[t];
  let a = tile[t - stride];
  let b = tile[t + stride];
  let q = alongAxis(cell, stride);
  let before = q - alongAxis(a, stride);
  let after = alongAxis(b, stride) - q;
  var slopes = limitedSlopes(before, after);
  var dry = false;
  if (!isWet) {
    dry = isDry(cell);
    let dryBefore = isDry(a);
    let dryAfter = isDry(b);
    // Dry ground above the water is no surface to go by, and has no velocity; lower ground is where the water goes. Where a
    // side blocks, the other one decides, if there is water.
    let blocksBefore = vec3<bool>(dryBefore && before.x < 0.0, dryBefore, dryBefore);
    let blocksAfter = vec3<bool>(dryAfter && after.x > 0.0, dryAfter, dryAfter);
    slopes = select(slopes, select(before, vec3f(0.0), dryBefore), blocksAfter);
    slopes = select(slopes, select(after, vec3f(0.0), dryAfter), blocksBefore);
    slopes = select(slopes, vec3f(0.0), dry);
  }
  let near = q - 0.5 * slopes;
  let far = q + 0.5 * slopes;
  return Sides(
    Side(near, select(min(0.5 * (cell.w + a.w), near.x), cell.w, dry)),
    Side(far, select(min(0.5 * (cell.w + b.w), far.x), cell.w, dry)),
  );
}

/// g·h̄·(η₊ − η₋) within a cell.
fn surfaceForce(sides: Sides) -> f32 {
  let depths = (sides.near.q.x - sides.near.ground) + (sides.far.q.x - sides.far.ground);
  return 0.5 * basin.gravity * depths * (sides.far.q.x - sides.near.q.x);
}

/// The cell of the basin that the cell `t` of the tile copies, and the signs of its momenta.
struct TileSource {
  cell: u32,
  signs: vec2f,
}

fn sourceInTile(t: u32, group: vec3u) -> TileSource {
  let x = sourceOf(i32(group.x * OWN_X + t % WIDTH) - i32(AHEAD) - 2, basin.nx, basin.boundaryX);
  let y = sourceOf(i32(group.y * OWN_Y + t / WIDTH) - i32(AHEAD) - 2, basin.ny, basin.boundaryY);
  return TileSource(y.cell * basin.nx + x.cell, vec2f(x.sign, y.sign));
}

/// Reads a cell for the tile: η, hu, hv with the signs of its ghost cell, and the bed.
fn cellOfTile(t: u32, group: vec3u) -> vec4f {
  let source = sourceInTile(t, group);
  let cells = basin.nx * basin.ny;
  let q = atStart(group.z * 3u * cells + source.cell, cells);
  return vec4f(q * vec3f(1.0, source.signs), bed[source.cell]);
}

/// Puts it into the tile, as η, u, v and the bed.
fn keepInTile(t: u32, cell: vec4f, dt: f32) {
  let h = cell.x - cell.w;
  let wet = h > basin.dryDepth;
  let momentum = select(cell.yz, afterFriction(cell.xyz, cell.w, 0.5 * dt).yz, STAGE == 1u);
  tile[t] = vec4f(cell.x, select(vec2f(0.0), momentum / h, wet), cell.w);
  if (!wet) {
    atomicAdd(&dryCells, 1u);
  }
}

/// No surface below the bed, no momentum where it is dry. A value that is not finite stays, to be found.
fn grounded(q: vec3f, elevation: f32) -> vec3f {
  if (!isFinite(q.x)) {
    return q;
  }
  let surface = max(q.x, elevation);
  return vec3f(surface, select(vec2f(0.0), q.yz, surface - elevation > basin.dryDepth));
}

// == faces ==
// Fluxes through faces, and the step that they make.

/// Fluxes through a face, as felt on its two sides: `before` and `after` are the normal momentum by pressure, less the
/// pressure of that side's cell.
struct Face {
  water: f32,
  advection: f32,
  before: f32,
  after: f32,
  tangential: f32,
}

/// water, advection, before, tangential: through the left face of each invocation's cell, then through the lower one.
var<workgroup> faces: array<vec4f, 2u * LANES>;
var<workgroup> shares: array<f32, LANES>;

/// Central-upwind flux with hydrostatic reconstruction, between the far side of one cell and the near side of the next.
fn faceFlux(left: Side, right: Side) -> Face {
  let higher = max(left.ground, right.ground);
  let etaLeft = max(left.q.x, higher);
  let etaRight = max(right.q.x, higher);
  let hLeft = etaLeft - higher;
  let hRight = etaRight - higher;
  let cLeft = sqrt(basin.gravity * hLeft);
  let cRight = sqrt(basin.gravity * hRight);
  let wetLeft = hLeft > 0.0;
  let wetRight = hRight > 0.0;
  let fastest = max(0.0, max(select(0.0, left.q.y + cLeft, wetLeft), select(0.0, right.q.y + cRight, wetRight)));
  let slowest = min(0.0, min(select(0.0, left.q.y - cLeft, wetLeft), select(0.0, right.q.y - cRight, wetRight)));
  let inverse = select(0.0, 1.0 / (fastest - slowest), fastest > slowest);
  let weightLeft = fastest * inverse;
  let weightRight = -slowest * inverse;
  let diffusion = fastest * weightRight;
  let rise = etaRight - etaLeft;
  let pressureRise = 0.5 * basin.gravity * (hLeft + hRight) * rise;
  let qLeft = hLeft * left.q.y;
  let qRight = hRight * right.q.y;
  let water = weightLeft * qLeft + weightRight * qRight - diffusion * rise;
  return Face(
    water,
    weightLeft * qLeft * left.q.y + weightRight * qRight * right.q.y - diffusion * (qRight - qLeft),
    weightRight * pressureRise,
    -weightLeft * pressureRise,
    water * select(right.q.z, left.q.z, water > 0.0),
  );
}

/// Puts the flux through the near face of the cell `t`, along x (stride 1) or y (stride WIDTH), into `faces`. Returns what that
/// face and the slope of the cell do to its normal momentum.
fn nearFace(t: u32, stride: u32, at: u32) -> f32 {
  let sides = reconstruct(t, stride);
  let face = faceFlux(reconstruct(t - stride, stride).far, sides.near);
  faces[at] = vec4f(face.water, face.advection, face.before, face.tangential);
  return surfaceForce(sides) - face.after;
}

/// Largest speed that water of the cell `origin` of the tile can have in the cell `t`: |u| + 2c, as of water that runs out
/// over dry ground, and what it gains by falling from there.
fn reach(origin: u32, t: u32) -> f32 {
  let cell = tile[origin];
  let front = length(cell.yz) + 2.0 * sqrt(basin.gravity * max(cell.x - cell.w, 0.0));
  return select(sqrt(front * front + 2.0 * basin.gravity * max(cell.x - tile[t].x, 0.0)), 0.0, isDry(cell));
}

/// Factor that brings the momentum of a new state down to what the largest speed allows that water from the cell `t` or beside it can
/// have: forces on a film at the shore are those of the deeper water beside it.
fn slowdown(q: vec3f, t: u32) -> f32 {
  let momentum = length(q.yz);
  let depth = q.x - tile[t].w;
  let own = reach(t, t);
  if (momentum <= own * depth) {
    return 1.0;
  }
  let alongX = max(reach(t - 1u, t), reach(t + 1u, t));
  let alongY = max(reach(t - WIDTH, t), reach(t + WIDTH, t));
  let fastest = max(own, max(alongX, alongY));
  return min(1.0, fastest * depth / momentum);
}

/// What goes through the four faces of an invocation's cell: water, advection, before, tangential.
struct Around {
  west: vec4f,
  east: vec4f,
  south: vec4f,
  north: vec4f,
}

/// The last column and row have no far face here; their share is not used.
fn facesAround(lane: u32) -> Around {
  return Around(
    faces[lane],
    faces[min(lane + 1u, LANES - 1u)],
    faces[LANES + lane],
    faces[LANES + min(lane + LANES_X, LANES - 1u)],
  );
}

/// Share of its outflow that the cell `t` can give in a step.
fn shareOf(around: Around, t: u32, dt: f32) -> f32 {
  let outflow = dt * basin.perX * (max(around.east.x, 0.0) + max(-around.west.x, 0.0)) +
    dt * basin.perY * (max(around.north.x, 0.0) + max(-around.south.x, 0.0));
  let depth = max(tile[t].x - tile[t].w, 0.0);
  if (outflow > depth) {
    return depth / outflow;
  }
  return 1.0;
}

/// 1/s, of a row of cells.
fn rotationOf(row: u32) -> f32 {
  return basin.coriolis + basin.beta * (f32(row) - 0.5 * f32(basin.ny - 1u)) * basin.dy;
}

/// Euler's step from η, hu, hv of an invocation's cell. `inner` is what its near faces and its slopes do to its momenta.
fn eulerStep(start: vec3f, around: Around, inner: vec2f, lane: u32, row: u32, dt: f32) -> vec3f {
  let ratioX = dt * basin.perX;
  let ratioY = dt * basin.perY;
  let here = shares[lane];
  let west = select(here, shares[lane - 1u], around.west.x > 0.0) * around.west;
  let east = select(shares[lane + 1u], here, around.east.x > 0.0) * around.east;
  let south = select(here, shares[lane - LANES_X], around.south.x > 0.0) * around.south;
  let north = select(shares[lane + LANES_X], here, around.north.x > 0.0) * around.north;
  let water = ratioX * (east.x - west.x) + ratioY * (north.x - south.x);
  let alongX = ratioX * (east.y - west.y + (around.east.z + inner.x)) + ratioY * (north.w - south.w);
  let alongY = ratioY * (north.y - south.y + (around.north.z + inner.y)) + ratioX * (east.w - west.w);
  let rotation = dt * rotationOf(row);
  return start - vec3f(water, alongX - rotation * start.z, alongY + rotation * start.y);
}

// == stage ==
// One stage of Heun's step with the central-upwind scheme, of all members.
//
// A workgroup of 16 × 16 invocations loads 19 × 19 cells (ghost cells as basin.wgsl has them), of which 13 × 13 are its
// own; where the basin is a single row, 32 × 4 load 35 × 7, of which 29 × 1 are. Each invocation computes one cell of its
// own or of the ring around them: it reconstructs and computes the fluxes through that cell's left and lower face; then the
// share of its outflow that the cell can give; then, if the cell is its own, the update. Stage 1 writes its Euler step to the
// other buffer. Stage 2 takes another Euler step from there and writes the mean with the state at the beginning, which only
// the same invocation reads, in place.
//
// Bindings: stepping.wgsl, basin, bed, state, other. Workgroups: cells of their own along x and y, members along z.

@group(0) @binding(4) var<uniform> basin: Basin;
@group(0) @binding(5) var<storage, read> bed: array<f32>;
@group(0) @binding(6) var<storage, read_write> state: array<f32>;
@group(0) @binding(7) var<storage, read_write> other: array<f32>;

var<workgroup> seconds: f32;
var<workgroup> largest: atomic<u32>;

/// η, hu, hv where this stage starts, without the friction of the first half of the step.
fn atStart(i: u32, cells: u32) -> vec3f {
  if (STAGE == 2u) {
    return vec3f(other[i], other[i + cells], other[i + 2u * cells]);
  }
  return vec3f(state[i], state[i + cells], state[i + 2u * cells]);
}

@compute @workgroup_size(LANES_X, LANES_Y)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let cells = basin.nx * basin.ny;
  let base = group.z * 3u * cells;
  // All that is read is asked for at once, and comes while the length of the step is found. `shortest` too: later, what is
  // written in between could be the same memory, for all that a compiler knows.
  let second = min(lane + LANES, TILE - 1u);
  let firstCell = cellOfTile(lane, group);
  let secondCell = cellOfTile(second, group);
  let column = group.x * OWN_X + local.x - 1u;
  let row = group.y * OWN_Y + local.y - 1u;
  let own = all(local.xy >= vec2u(1u)) && all(local.xy <= vec2u(LANES_X, LANES_Y) - 3u) && column < basin.nx && row < basin.ny;
  let cell = select(0u, row * basin.nx + column, own);
  let i = base + cell;
  let ground = bed[cell];
  let ownStart = atStart(i, cells);
  var ownState = ownStart;
  if (STAGE == 2u) {
    ownState = vec3f(state[i], state[i + cells], state[i + 2u * cells]);
  }
  belongTo(group.z);
  let shortest = shortestStep();
  if (lane == 0u) {
    seconds = stepSeconds();
    atomicStore(&largest, 0u);
  }
  let dt = workgroupUniformLoad(&seconds);
  if (dt <= 0.0) {
    if (STAGE == 2u && lane == 0u && isFirst(group)) {
      passOn(dt);
    }
    return;
  }

  keepInTile(lane, firstCell, dt);
  if (lane + LANES < TILE) {
    keepInTile(second, secondCell, dt);
  }
  awaitTile();

  // This cell and, on its lower sides, its faces.
  let t = (local.y + 2u) * WIDTH + local.x + 2u;
  let inner = vec2f(nearFace(t, 1u, lane), nearFace(t, WIDTH, LANES + lane));
  workgroupBarrier();

  let around = facesAround(lane);
  shares[lane] = shareOf(around, t, dt);
  workgroupBarrier();

  if (own) {
    let first = afterFriction(ownState, ground, 0.5 * dt);
    let start = select(ownStart, first, STAGE == 1u);
    let stepped = grounded(eulerStep(start, around, inner, lane, row, dt), ground);
    let euler = vec3f(stepped.x, stepped.yz * slowdown(stepped, t));
    if (STAGE == 1u) {
      other[i] = euler.x;
      other[i + cells] = euler.y;
      other[i + 2u * cells] = euler.z;
    } else {
      let mean = grounded(0.5 * (first + euler), ground);
      let after = afterFriction(mean, ground, 0.5 * dt);
      state[i] = after.x;
      state[i + cells] = after.y;
      state[i + 2u * cells] = after.z;
      let rate = waveRate(basin, after.x - ground, after.y, after.z);
      if (isFaulty(after, shortest * rate)) {
        recordFault(group.z * cells + cell);
      }
      if (stepping.automatic != 0u) {
        atomicMax(&largest, bitcast<u32>(rate));
      }
    }
  }
  if (STAGE == 2u) {
    if (stepping.automatic != 0u) {
      workgroupBarrier();
      if (lane == 0u) {
        atomicMax(&status[word(RATE + (slot.index + 1u) % SLOTS)], atomicLoad(&largest));
      }
    }
    if (lane == 0u && isFirst(group)) {
      passOn(dt);
    }
  }
}
