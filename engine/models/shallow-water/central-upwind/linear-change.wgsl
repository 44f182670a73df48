// The derivative of the central-upwind scheme's Euler step, forwards and backwards; after linear.wgsl.

// == change ==
// Bindings after those of linear.wgsl: input, output, between. `between` is the change of the state between the Euler steps, or the
// sensitivity to it.

@group(0) @binding(4) var<storage, read> kept: array<f32>;
@group(0) @binding(5) var<storage, read> input: array<f32>;
@group(0) @binding(6) var<storage, read_write> output: array<f32>;
@group(0) @binding(7) var<storage, read_write> between: array<f32>;

fn inputAt(cell: u32) -> vec3f {
  return vec3f(input[cell], input[cell + cellCount()], input[cell + 2u * cellCount()]);
}

fn betweenAt(cell: u32) -> vec3f {
  return vec3f(between[cell], between[cell + cellCount()], between[cell + 2u * cellCount()]);
}

fn write(cell: u32, values: vec3f) {
  output[cell] = values.x;
  output[cell + cellCount()] = values.y;
  output[cell + 2u * cellCount()] = values.z;
}

fn writeBetween(cell: u32, values: vec3f) {
  between[cell] = values.x;
  between[cell + cellCount()] = values.y;
  between[cell + 2u * cellCount()] = values.z;
}

/// What the limits of this stage leave of a change of η, hu, hv: 1 or 0 of η, where it is the water's or the ground's.
fn limitsAt(cell: u32) -> vec3f {
  let limit = kept[limitPlace(cell)];
  return vec3f(select(0.0, 1.0, limit >= 0.0), vec2f(max(limit, 0.0)));
}

/// Friction in half a step: its factor (`frictionFactor`), and how that changes with the depth, 1/m, and with the momentum, over the
/// square of the momentum.
struct Friction {
  factor: f32,
  perDepth: f32,
  perMomentum: f32,
}

fn frictionOf(q: vec3f, elevation: f32) -> Friction {
  let depth = q.x - elevation;
  if ((basin.manning == 0.0 && basin.drag == 0.0) || depth <= basin.dryDepth) {
    return Friction(1.0, 0.0, 0.0);
  }
  let duration = 0.5 * step.seconds;
  let half = select(1.0, exp(-0.5 * basin.drag * duration), basin.drag * duration > 0.0);
  let speed = length(q.yz);
  let rough = basin.gravity * basin.manning * basin.manning * half / (depth * depth * pow(depth, 1.0 / 3.0));
  let drain = duration * rough * speed;
  let factor = half * half / (1.0 + drain);
  let loss = factor / (1.0 + drain);
  return Friction(factor, 7.0 / 3.0 * loss * drain / depth, select(0.0, loss * duration * rough / speed, speed > 0.0));
}

/// Friction, linearised.
fn changedByFriction(q: vec3f, elevation: f32, d: vec3f) -> vec3f {
  let friction = frictionOf(q, elevation);
  let fall = friction.perMomentum * dot(q.yz, d.yz) - friction.perDepth * d.x;
  return vec3f(d.x, friction.factor * d.yz - fall * q.yz);
}

/// The adjoint of that.
fn changedByFrictionAdjoint(q: vec3f, elevation: f32, d: vec3f) -> vec3f {
  let friction = frictionOf(q, elevation);
  let fall = dot(q.yz, d.yz);
  return vec3f(d.x + friction.perDepth * fall, friction.factor * d.yz - friction.perMomentum * fall * q.yz);
}

/// Half of a vector, and no momentum where the mean is dry.
fn halved(d: vec3f, mean: vec3f, elevation: f32) -> vec3f {
  return 0.5 * select(vec3f(d.x, 0.0, 0.0), d, mean.x - elevation > basin.dryDepth);
}

// == tangent ==
// The tangent of an Euler step: changes of the fluxes through faces, then of the cells. Stage 1 applies friction and the first Euler
// step to the change of the state and stores the result; stage 2 reads that and writes the change after the whole step.

/// Changes of η, u, v: [variable][cell of the tile].
var<workgroup> changes: array<f32, 3u * TILE>;
/// Changes of water, advection, before, tangential through the left face of each invocation's cell, then through the lower one:
/// times the share of the water that can go, but for `before`.
var<workgroup> changed: array<vec4f, 2u * LANES>;

/// Change of η, hu, hv of a cell at the start of this stage.
fn changeAtStart(cell: u32) -> vec3f {
  if (STAGE == 2u) {
    return betweenAt(cell);
  }
  return changedByFriction(beforeAt(cell), bed[cell], inputAt(cell));
}

/// Stores the change of a cell of the tile, as one of η, u, v.
fn keepChange(t: u32, group: vec3u) {
  let source = sourceInTile(t, group);
  let d = changeAtStart(source.cell);
  let cell = tile[t];
  let velocity = select((source.signs * d.yz - cell.yz * d.x) / (cell.x - cell.w), vec2f(0.0), isDry(cell));
  changes[t] = d.x;
  changes[t + TILE] = velocity.x;
  changes[t + 2u * TILE] = velocity.y;
}

fn changeAt(t: u32, stride: u32) -> vec3f {
  return alongAxis(vec4f(changes[t], changes[t + TILE], changes[t + 2u * TILE], 0.0), stride);
}

/// Changes at both sides of a cell.
fn changedSides(cell: Reconstructed, t: u32, stride: u32) -> Sides {
  let d = changeAt(t, stride);
  let rise = 0.5 * (cell.before * (d - changeAt(t - stride, stride)) + cell.after * (changeAt(t + stride, stride) - d));
  let near = d - rise;
  let far = d + rise;
  return Sides(Side(near, cell.grounded.x * near.x), Side(far, cell.grounded.y * far.x));
}

/// Stores the changes of the near face of a cell in `changed`. Returns the change of the normal momentum that this face and the slope of
/// the cell add to the cell.
fn changeNearFace(place: Place, stride: u32, at: u32) -> f32 {
  let t = place.t;
  let cell = reconstructed(t, stride);
  let cellBefore = reconstructed(t - stride, stride);
  let here = changedSides(cell, t, stride);
  let left = changedSides(cellBefore, t - stride, stride).far;
  let right = here.near;
  let face = faceStateOf(cellBefore.sides.far, cell.sides.near);
  let dBed = select(right.ground, left.ground, face.bedIsLeft);
  let dh = select(vec2f(0.0), vec2f(left.q.x, right.q.x) - dBed, face.isAbove);
  let du = vec2f(left.q.y, right.q.y);
  let dq = dh * face.u + face.h * du;
  let dRise = dh.y - dh.x;
  let da = dot(face.fastest, du + face.perDepth * dh);
  let db = dot(face.slowest, du - face.perDepth * dh);
  let square = face.inverse * face.inverse;
  let dWeight = (face.a * db - face.b * da) * square;
  let dDiffusion = (face.b * face.b * da - face.a * face.a * db) * square;
  let dPressureRise = 0.5 * basin.gravity * ((dh.x + dh.y) * face.rise + (face.h.x + face.h.y) * dRise);
  let dWater = dWeight * (face.q.x - face.q.y) + dot(face.weights, dq) - dDiffusion * face.rise - face.diffusion * dRise;
  let dAdvection = dWeight * (face.q.x * face.u.x - face.q.y * face.u.y) + dot(face.weights, dq * face.u + face.q * du) -
    dDiffusion * (face.q.y - face.q.x) - face.diffusion * (dq.y - dq.x);
  let isForward = face.water > 0.0;
  let dTangential = dWater * select(cell.sides.near.q.z, cellBefore.sides.far.q.z, isForward) +
    face.water * select(right.q.z, left.q.z, isForward);
  let share = shareThrough(face.water, place.i, place.j, stride == 1u);
  changed[at] = vec4f(
    share * dWater,
    share * dAdvection,
    face.weights.y * dPressureRise - dWeight * face.pressureRise,
    share * dTangential,
  );
  let sides = cell.sides;
  let depth = (sides.near.q.x - sides.near.ground) + (sides.far.q.x - sides.far.ground);
  let dDepth = (here.near.q.x - here.near.ground) + (here.far.q.x - here.far.ground);
  let dForce = 0.5 * basin.gravity *
    (dDepth * (sides.far.q.x - sides.near.q.x) + depth * (here.far.q.x - here.near.q.x));
  return dForce + dWeight * face.pressureRise + face.weights.x * dPressureRise;
}

@compute @workgroup_size(LANES_X, LANES_Y)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let place = placeOf(group, local.xy);
  loadTile(group, lane);
  for (var t = lane; t < TILE; t += LANES) {
    keepChange(t, group);
  }
  awaitTile();
  // A loop, and so one copy of the code for both axes.
  var inner: vec2f;
  for (var axis = 0u; axis < 2u; axis++) {
    inner[axis] = changeNearFace(place, select(1u, WIDTH, axis == 1u), axis * LANES + lane);
  }
  workgroupBarrier();
  if (place.isOwn) {
    let cell = u32(place.j) * basin.nx + u32(place.i);
    let west = changed[lane];
    let east = changed[lane + 1u];
    let south = changed[LANES + lane];
    let north = changed[LANES + lane + LANES_X];
    let ratioX = step.seconds * basin.perX;
    let ratioY = step.seconds * basin.perY;
    let rotation = step.seconds * rotationOf(u32(place.j));
    let water = ratioX * (east.x - west.x) + ratioY * (north.x - south.x);
    let alongX = ratioX * (east.y - west.y + east.z + inner.x) + ratioY * (north.w - south.w);
    let alongY = ratioY * (north.y - south.y + north.z + inner.y) + ratioX * (east.w - west.w);
    let d = changeAtStart(cell);
    let moved = d - vec3f(water, alongX - rotation * d.z, alongY + rotation * d.y);
    let after = moved * limitsAt(cell);
    if (STAGE == 1u) {
      writeBetween(cell, after);
    } else {
      let ground = bed[cell];
      let mean = keptAt(MEAN, cell);
      let rubbed = changedByFriction(beforeAt(cell), ground, inputAt(cell));
      write(cell, changedByFriction(mean, ground, halved(rubbed + after, mean, ground)));
    }
  }
}

// == adjoint ==
// The adjoint of an Euler step. Axis by axis, each face computes what it adds to the sensitivities of the two cells before it and the two
// after it; then each cell adds that up from the faces around it. A ghost cell's sensitivity is added to that of the cell that it
// copies; a periodic basin instead computes the faces at its edge for both sides. Stage 2 runs first and stores its result; stage 1
// reads that and writes the sensitivity to the state before the step.

/// What faces along one axis add to η, normal and tangential velocity of four cells: [cell and variable][face]. Before that, the
/// sensitivities to the own cells and two rings of cells around them, but for the last row and column: [variable][cell].
var<workgroup> given: array<f32, 12u * LANES>;

/// Columns and cells of these.
override SEEN_X: u32 = LANES_X + 1u;
override SEEN: u32 = SEEN_X * (LANES_Y + 1u);

/// Stores three values in `given`, `apart` from each other.
fn give(at: u32, apart: u32, d: vec3f) {
  given[at] = d.x;
  given[at + apart] = d.y;
  given[at + 2u * apart] = d.z;
}

/// The sensitivity to each of the two states whose mean Heun's method takes.
fn beforeMean(cell: u32) -> vec3f {
  let mean = keptAt(MEAN, cell);
  let ground = bed[cell];
  return halved(changedByFrictionAdjoint(mean, ground, inputAt(cell)), mean, ground);
}

/// The sensitivity to η, hu, hv of a cell after this stage, with its limits; 0 beyond the basin.
fn sensitivityAt(i: i32, j: i32) -> vec3f {
  let isInX = basin.boundaryX == PERIODIC || u32(i) < basin.nx;
  let isInY = basin.boundaryY == PERIODIC || u32(j) < basin.ny;
  if (!isInX || !isInY) {
    return vec3f(0.0);
  }
  let cell = sourceOf(j, basin.ny, basin.boundaryY).cell * basin.nx + sourceOf(i, basin.nx, basin.boundaryX).cell;
  if (STAGE == 1u) {
    return betweenAt(cell) * limitsAt(cell);
  }
  return beforeMean(cell) * limitsAt(cell);
}

/// The sensitivity to a cell, in columns and rows of the own cells and those around them, from −1 on.
fn seenAt(column: u32, row: u32) -> vec3f {
  let at = (row + 1u) * SEEN_X + column + 1u;
  return vec3f(given[at], given[at + SEEN], given[at + 2u * SEEN]);
}

/// Stores what the near face of a cell and the slope within the cell add to four cells. `dBefore` and `dAfter` are the sensitivities to
/// η, normal and tangential momentum of the cells before and after the face; `ratio` is dt/dx or dt/dy.
fn giveFromFace(place: Place, stride: u32, lane: u32, dBefore: vec3f, dAfter: vec3f, ratio: f32) {
  let t = place.t;
  let cell = reconstructed(t, stride);
  let cellBefore = reconstructed(t - stride, stride);
  let face = faceStateOf(cellBefore.sides.far, cell.sides.near);
  let isForward = face.water > 0.0;
  let isAlongX = stride == 1u;
  let i = select(place.i, i32(sourceOf(place.i, basin.nx, PERIODIC).cell), basin.boundaryX == PERIODIC);
  let j = select(place.j, i32(sourceOf(place.j, basin.ny, PERIODIC).cell), basin.boundaryY == PERIODIC);
  let through = ratio * shareThrough(face.water, i, j, isAlongX) * (dAfter - dBefore);
  let toAdvection = through.y;
  let toBefore = -ratio * dBefore.y;
  let toAfter = ratio * dAfter.y;
  let carried = select(cell.sides.near.q.z, cellBefore.sides.far.q.z, isForward);
  let toWater = through.x + through.z * carried;
  let toTangential = through.z * face.water;

  let toPressureRise = face.weights.y * toBefore - face.weights.x * toAfter;
  let toWeight = toWater * (face.q.x - face.q.y) + toAdvection * (face.q.x * face.u.x - face.q.y * face.u.y) -
    (toBefore + toAfter) * face.pressureRise;
  let toDiffusion = -toWater * face.rise - toAdvection * (face.q.y - face.q.x);
  let diffusion = vec2f(face.diffusion, -face.diffusion);
  let toQ = toWater * face.weights + toAdvection * (face.weights * face.u + diffusion);
  let toRise = 0.5 * basin.gravity * (face.h.x + face.h.y) * toPressureRise - toWater * face.diffusion;
  let square = face.inverse * face.inverse;
  let toA = face.fastest * ((face.b * face.b * toDiffusion - face.b * toWeight) * square);
  let toB = face.slowest * ((face.a * toWeight - face.a * face.a * toDiffusion) * square);
  let toU = toAdvection * face.weights * face.q + toQ * face.h + toA + toB;
  let toH = 0.5 * basin.gravity * face.rise * toPressureRise + toQ * face.u + vec2f(-toRise, toRise) +
    face.perDepth * (toA - toB);
  let toEta = select(vec2f(0.0), toH, face.isAbove);
  let toBed = -(toEta.x + toEta.y);
  let toGround = select(vec2f(0.0, toBed), vec2f(toBed, 0.0), face.bedIsLeft);

  let sides = cell.sides;
  let depth = (sides.near.q.x - sides.near.ground) + (sides.far.q.x - sides.far.ground);
  let rise = sides.far.q.x - sides.near.q.x;
  let toForce = -0.5 * basin.gravity * ratio * dAfter.y;
  let forceNear = toForce * ((1.0 - cell.grounded.x) * rise - depth);
  let forceFar = toForce * ((1.0 - cell.grounded.y) * rise + depth);

  let left = vec3f(toEta.x + cellBefore.grounded.y * toGround.x, toU.x, select(0.0, toTangential, isForward));
  let right = vec3f(toEta.y + cell.grounded.x * toGround.y + forceNear, toU.y, select(toTangential, 0.0, isForward));
  let far = vec3f(forceFar, 0.0, 0.0);
  let slopeBefore = 0.5 * left;
  let slope = 0.5 * (far - right);
  give(lane, LANES, -cellBefore.before * slopeBefore);
  give(3u * LANES + lane, LANES, left + (cellBefore.before - cellBefore.after) * slopeBefore - cell.before * slope);
  give(6u * LANES + lane, LANES, cellBefore.after * slopeBefore + right + far + (cell.before - cell.after) * slope);
  give(9u * LANES + lane, LANES, cell.after * slope);
}

/// The sum for the cell `index` of an axis, near the cell `own` of that axis, whose near face is at `lane`; `apart` is the distance of
/// neighbouring faces.
fn receivedAt(index: i32, own: i32, lane: u32, apart: u32, size: u32, boundary: u32) -> vec3f {
  var total = vec3f(0.0);
  for (var slot = 0; slot < 4; slot++) {
    let face = index + 2 - slot;
    if (boundary == PERIODIC || (face >= 0 && face <= i32(size))) {
      let at = u32(3 * slot) * LANES + u32(i32(lane) + (face - own) * i32(apart));
      total += vec3f(given[at], given[at + LANES], given[at + 2u * LANES]);
    }
  }
  return total;
}

/// The sum for a cell of the basin along an axis, with the sums for the ghost cells that copy it.
fn received(own: i32, lane: u32, apart: u32, size: u32, boundary: u32) -> vec3f {
  var total = receivedAt(own, own, lane, apart, size, boundary);
  if (boundary == PERIODIC || (own >= 2 && own + 2 < i32(size))) {
    return total;
  }
  let beyond = array(-2, -1, i32(size), i32(size) + 1);
  for (var k = 0; k < 4; k++) {
    let source = sourceOf(beyond[k], size, boundary);
    if (i32(source.cell) == own) {
      total += vec3f(1.0, source.sign, 1.0) * receivedAt(beyond[k], own, lane, apart, size, boundary);
    }
  }
  return total;
}

/// An invocation for each face along an axis: along x those of the rows of own cells, along y those of their columns.
@compute @workgroup_size(LANES)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let ofX = vec2u(lane % LANES_X, lane / LANES_X + 1u);
  let ofY = vec2u(lane % OWN_X + 1u, lane / OWN_X);
  let own = ofY + vec2u(0u, 1u);
  let place = placeOf(group, own);
  loadTile(group, lane);
  for (var at = lane; at < SEEN; at += LANES) {
    let column = i32(group.x * OWN_X + at % SEEN_X) - 2;
    let row = i32(group.y * OWN_Y + at / SEEN_X) - 2;
    give(at, SEEN, sensitivityAt(column, row));
  }
  awaitTile();
  let here = seenAt(own.x, own.y);
  // By axis: η, normal and tangential momentum of the cells before and after the face.
  let dBefore = array(seenAt(ofX.x - 1u, ofX.y), seenAt(ofY.x, ofY.y - 1u).xzy);
  let dAfter = array(seenAt(ofX.x, ofX.y), seenAt(ofY.x, ofY.y).xzy);
  workgroupBarrier();
  // η, normal and tangential velocity, by axis. A loop, and so one copy of the code for both.
  var gathered: array<vec3f, 2>;
  for (var axis = 0u; axis < 2u; axis++) {
    let isAlongX = axis == 0u;
    giveFromFace(
      placeOf(group, select(ofY, ofX, isAlongX)),
      select(WIDTH, 1u, isAlongX),
      lane,
      select(dBefore[1], dBefore[0], isAlongX),
      select(dAfter[1], dAfter[0], isAlongX),
      step.seconds * select(basin.perY, basin.perX, isAlongX),
    );
    workgroupBarrier();
    if (place.isOwn) {
      gathered[axis] = received(
        select(place.j, place.i, isAlongX),
        select(own.y * OWN_X + own.x - 1u, (own.y - 1u) * LANES_X + own.x, isAlongX),
        select(OWN_X, 1u, isAlongX),
        select(basin.ny, basin.nx, isAlongX),
        select(basin.boundaryY, basin.boundaryX, isAlongX),
      );
    }
    workgroupBarrier();
  }
  if (place.isOwn) {
    let cell = u32(place.j) * basin.nx + u32(place.i);
    let rotation = step.seconds * rotationOf(u32(place.j));
    let eta = gathered[0].x + gathered[1].x;
    let velocity = gathered[0].yz + gathered[1].zy;
    var result = vec3f(here.x + eta, here.y - rotation * here.z, here.z + rotation * here.y);
    let state = tile[place.t];
    if (!isDry(state)) {
      result += vec3f(-dot(state.yz, velocity), velocity) / (state.x - state.w);
    }
    if (STAGE == 2u) {
      writeBetween(cell, result);
    } else {
      write(cell, changedByFrictionAdjoint(beforeAt(cell), bed[cell], result + beforeMean(cell)));
    }
  }
}
