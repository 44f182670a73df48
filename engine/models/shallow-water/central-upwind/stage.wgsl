// One stage of Heun's step with the central-upwind scheme, of all members: see index.ts for the equations.
//
// A workgroup of 16 × 16 invocations loads 19 × 19 cells (ghost cells by sourceCell, sourceSign), of which 13 × 13 are its
// own. Each invocation stands for one cell of its own or of the ring around them: it reconstructs and computes the fluxes
// through that cell's left and lower face; then the share of its outflow that the cell can give; then, if the cell is its
// own, the update. Stage 1 writes its Euler step to the other buffer. Stage 2 takes another Euler step from there and
// writes the mean with the state at the beginning, which only the same invocation reads, in place.
//
// Bindings: stepping.wgsl, basin, bed, state, other. Workgroups: 13 × 13 cells along x and y, members along z.

@group(0) @binding(4) var<uniform> basin: Basin;
@group(0) @binding(5) var<storage, read> bed: array<f32>;
@group(0) @binding(6) var<storage, read_write> state: array<f32>;
@group(0) @binding(7) var<storage, read_write> other: array<f32>;

override STAGE: u32;
override AUTOMATIC: bool;

/// θ of the generalised minmod limiter.
const THETA = 1.5;
const SIDE = 16u;
const OWN = 13u;
const WIDTH = 19u;
const TILE = 361u;
const LANES = 256u;
/// Rings of ghost cells.
const RINGS = 3;

/// Fluxes through a face, as felt on its two sides: `before` and `after` are the normal momentum by pressure, less the
/// pressure of that side's cell.
struct Face {
  water: f32,
  advection: f32,
  before: f32,
  after: f32,
  tangential: f32,
}

/// A cell's state at one of its faces.
struct Side {
  eta: f32,
  ground: f32,
  normal: f32,
  tangential: f32,
}

var<workgroup> seconds: f32;
var<workgroup> eta: array<f32, TILE>;
var<workgroup> ground: array<f32, TILE>;
/// u, v.
var<workgroup> velocity: array<vec2f, TILE>;
/// water, advection, before, tangential through the left and the lower face.
var<workgroup> xFaces: array<vec4f, LANES>;
var<workgroup> yFaces: array<vec4f, LANES>;
var<workgroup> shares: array<f32, LANES>;
var<workgroup> largest: atomic<u32>;

/// Factor by which the bed slows a flow: the exact solution of dq/dt = −g n² |q| q / h^(7/3) at constant depth.
fn frictionFactor(h: f32, q: vec2f, duration: f32) -> f32 {
  if (basin.manning == 0.0 || h <= basin.dryDepth) {
    return 1.0;
  }
  let drag = basin.gravity * basin.manning * basin.manning * length(q) / (h * h * pow(h, 1.0 / 3.0));
  return 1.0 / (1.0 + duration * drag);
}

fn limitedSlope(before: f32, after: f32) -> f32 {
  if (before * after <= 0.0) {
    return 0.0;
  }
  let steepest = THETA * min(abs(before), abs(after));
  let mean = 0.5 * (before + after);
  return select(sign(mean) * steepest, mean, abs(mean) <= steepest);
}

fn isDry(t: u32) -> bool {
  return eta[t] - ground[t] <= basin.dryDepth;
}

/// Slope where a side that blocks has nothing to say: the other side decides, if there is water.
fn slope(before: f32, after: f32, blocksBefore: bool, blocksAfter: bool, dryBefore: bool, dryAfter: bool) -> f32 {
  if (blocksBefore) {
    return select(after, 0.0, dryAfter);
  }
  if (blocksAfter) {
    return select(before, 0.0, dryBefore);
  }
  return limitedSlope(before, after);
}

/// u, v as (normal, tangential) to faces along x (stride 1) or y (stride WIDTH).
fn alongAxis(q: vec2f, stride: u32) -> vec2f {
  return select(q.yx, q, stride == 1u);
}

/// The two sides of a cell: near (towards lower indices) and far.
struct Sides {
  near: Side,
  far: Side,
}

fn reconstruct(t: u32, stride: u32) -> Sides {
  let here = alongAxis(velocity[t], stride);
  if (isDry(t)) {
    let flat = Side(eta[t], ground[t], 0.0, 0.0);
    return Sides(flat, flat);
  }
  let a = t - stride;
  let b = t + stride;
  let dryBefore = isDry(a);
  let dryAfter = isDry(b);
  // Dry ground above the water is no surface to go by, and has no velocity; lower ground is where the water goes.
  let shoreBefore = dryBefore && eta[a] > eta[t];
  let shoreAfter = dryAfter && eta[b] > eta[t];
  let etaSlope = slope(eta[t] - eta[a], eta[b] - eta[t], shoreBefore, shoreAfter, dryBefore, dryAfter);
  let before = here - alongAxis(velocity[a], stride);
  let after = alongAxis(velocity[b], stride) - here;
  let normalSlope = slope(before.x, after.x, dryBefore, dryAfter, dryBefore, dryAfter);
  let tangentialSlope = slope(before.y, after.y, dryBefore, dryAfter, dryBefore, dryAfter);
  let nearEta = eta[t] - 0.5 * etaSlope;
  let farEta = eta[t] + 0.5 * etaSlope;
  return Sides(
    Side(
      nearEta,
      min(0.5 * (ground[t] + ground[a]), nearEta),
      here.x - 0.5 * normalSlope,
      here.y - 0.5 * tangentialSlope,
    ),
    Side(farEta, min(0.5 * (ground[t] + ground[b]), farEta), here.x + 0.5 * normalSlope, here.y + 0.5 * tangentialSlope),
  );
}

/// g·h̄·(η₊ − η₋) within a cell.
fn surfaceForce(sides: Sides) -> f32 {
  let depths = (sides.near.eta - sides.near.ground) + (sides.far.eta - sides.far.ground);
  return 0.5 * basin.gravity * depths * (sides.far.eta - sides.near.eta);
}

/// Central-upwind flux with hydrostatic reconstruction, between the far side of one cell and the near side of the next.
fn faceFlux(left: Side, right: Side) -> Face {
  let higher = max(left.ground, right.ground);
  let etaLeft = max(left.eta, higher);
  let etaRight = max(right.eta, higher);
  let hLeft = etaLeft - higher;
  let hRight = etaRight - higher;
  let cLeft = sqrt(basin.gravity * hLeft);
  let cRight = sqrt(basin.gravity * hRight);
  let wetLeft = hLeft > 0.0;
  let wetRight = hRight > 0.0;
  let fastest = max(0.0, max(select(0.0, left.normal + cLeft, wetLeft), select(0.0, right.normal + cRight, wetRight)));
  let slowest = min(0.0, min(select(0.0, left.normal - cLeft, wetLeft), select(0.0, right.normal - cRight, wetRight)));
  let inverse = select(0.0, 1.0 / (fastest - slowest), fastest > slowest);
  let weightLeft = fastest * inverse;
  let weightRight = -slowest * inverse;
  let diffusion = fastest * weightRight;
  let rise = etaRight - etaLeft;
  let pressureRise = 0.5 * basin.gravity * (hLeft + hRight) * rise;
  let qLeft = hLeft * left.normal;
  let qRight = hRight * right.normal;
  let water = weightLeft * qLeft + weightRight * qRight - diffusion * rise;
  return Face(
    water,
    weightLeft * qLeft * left.normal + weightRight * qRight * right.normal - diffusion * (qRight - qLeft),
    weightRight * pressureRise,
    -weightLeft * pressureRise,
    water * select(right.tangential, left.tangential, water > 0.0),
  );
}

/// η, hu, hv where this stage starts, friction of the first half of the step included.
fn atStart(i: u32, cells: u32, elevation: f32, dt: f32) -> vec3f {
  if (STAGE == 2u) {
    return vec3f(other[i], other[i + cells], other[i + 2u * cells]);
  }
  return afterFriction(vec3f(state[i], state[i + cells], state[i + 2u * cells]), elevation, 0.5 * dt);
}

fn afterFriction(q: vec3f, elevation: f32, duration: f32) -> vec3f {
  return vec3f(q.x, q.yz * frictionFactor(q.x - elevation, q.yz, duration));
}

@compute @workgroup_size(SIDE, SIDE)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let nx = i32(basin.nx);
  let ny = i32(basin.ny);
  let cells = basin.nx * basin.ny;
  let base = group.z * 3u * cells;
  if (lane == 0u) {
    seconds = stepSeconds();
  }
  let dt = workgroupUniformLoad(&seconds);
  if (dt <= 0.0) {
    if (STAGE == 2u && lane == 0u && all(group == vec3u(0u))) {
      passOn(dt);
    }
    return;
  }

  for (var t = lane; t < TILE; t += LANES) {
    let i = i32(group.x * OWN + t % WIDTH) - RINGS;
    let j = i32(group.y * OWN + t / WIDTH) - RINGS;
    let cell = u32(sourceCell(j, ny, BOUNDARY_Y) * nx + sourceCell(i, nx, BOUNDARY_X));
    let q = atStart(base + cell, cells, bed[cell], dt);
    let h = q.x - bed[cell];
    eta[t] = q.x;
    ground[t] = bed[cell];
    let signs = vec2f(sourceSign(i, nx, BOUNDARY_X), sourceSign(j, ny, BOUNDARY_Y));
    velocity[t] = select(vec2f(0.0), signs * q.yz / h, h > basin.dryDepth);
  }
  workgroupBarrier();

  // This cell and, on its lower sides, its faces.
  let t = (local.y + 2u) * WIDTH + local.x + 2u;
  let xSides = reconstruct(t, 1u);
  let ySides = reconstruct(t, WIDTH);
  let xFace = faceFlux(reconstruct(t - 1u, 1u).far, xSides.near);
  let yFace = faceFlux(reconstruct(t - WIDTH, WIDTH).far, ySides.near);
  xFaces[lane] = vec4f(xFace.water, xFace.advection, xFace.before, xFace.tangential);
  yFaces[lane] = vec4f(yFace.water, yFace.advection, yFace.before, yFace.tangential);
  workgroupBarrier();

  let ratioX = dt / basin.dx;
  let ratioY = dt / basin.dy;
  // The last column and row have no far face here; nobody asks for their share.
  let east = xFaces[min(lane + 1u, LANES - 1u)];
  let north = yFaces[min(lane + SIDE, LANES - 1u)];
  let outflow = ratioX * (max(east.x, 0.0) + max(-xFace.water, 0.0)) + ratioY * (max(north.x, 0.0) + max(-yFace.water, 0.0));
  let depth = max(eta[t] - ground[t], 0.0);
  shares[lane] = select(1.0, depth / outflow, outflow > depth);
  workgroupBarrier();

  let column = group.x * OWN + local.x - 1u;
  let row = group.y * OWN + local.y - 1u;
  let own = all(local.xy >= vec2u(1u)) && all(local.xy <= vec2u(OWN)) && column < basin.nx && row < basin.ny;
  if (own) {
    let cell = row * basin.nx + column;
    let i = base + cell;
    let here = shares[lane];
    let shareWest = select(here, shares[lane - 1u], xFace.water > 0.0);
    let shareEast = select(shares[lane + 1u], here, east.x > 0.0);
    let shareSouth = select(here, shares[lane - SIDE], yFace.water > 0.0);
    let shareNorth = select(shares[lane + SIDE], here, north.x > 0.0);
    let water = ratioX * (shareEast * east.x - shareWest * xFace.water) +
      ratioY * (shareNorth * north.x - shareSouth * yFace.water);
    let alongX = ratioX *
      (shareEast * east.y - shareWest * xFace.advection + (east.z - xFace.after + surfaceForce(xSides))) +
      ratioY * (shareNorth * north.w - shareSouth * yFace.tangential);
    let alongY = ratioY *
      (shareNorth * north.y - shareSouth * yFace.advection + (north.z - yFace.after + surfaceForce(ySides))) +
      ratioX * (shareEast * east.w - shareWest * xFace.tangential);
    let start = atStart(i, cells, bed[cell], dt);
    let rotation = dt * (basin.coriolis + basin.beta * (f32(row) - 0.5 * f32(basin.ny - 1u)) * basin.dy);
    let stepped = start - vec3f(water, alongX - rotation * start.z, alongY + rotation * start.y);
    let euler = grounded(stepped, bed[cell]);
    if (STAGE == 1u) {
      other[i] = euler.x;
      other[i + cells] = euler.y;
      other[i + 2u * cells] = euler.z;
    } else {
      let first = afterFriction(vec3f(state[i], state[i + cells], state[i + 2u * cells]), bed[cell], 0.5 * dt);
      let mean = grounded(0.5 * (first + euler), bed[cell]);
      let after = afterFriction(mean, bed[cell], 0.5 * dt);
      state[i] = after.x;
      state[i + cells] = after.y;
      state[i + 2u * cells] = after.z;
      if (faultOf(basin, after, bed[cell], true).found) {
        recordFault(group.z * cells + cell);
      }
      if (AUTOMATIC) {
        atomicMax(&largest, bitcast<u32>(waveRate(basin, after.x - bed[cell], after.y, after.z)));
      }
    }
  }
  if (STAGE == 2u) {
    if (AUTOMATIC) {
      workgroupBarrier();
      if (lane == 0u) {
        atomicMax(&status[RATE + (slot.x + 1u) % SLOTS], atomicLoad(&largest));
      }
    }
    if (lane == 0u && all(group == vec3u(0u))) {
      passOn(dt);
    }
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
