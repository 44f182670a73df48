// Kernels of the water budgets, and what they share.

// == water-library ==
// Truth, forecast and analysis as states 0, 1 and 2, for the kernels of water-budgets.ts.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> truth: array<f32>;
@group(0) @binding(2) var<storage, read> forecast: array<f32>;
@group(0) @binding(3) var<storage, read> analysis: array<f32>;
@group(0) @binding(4) var<storage, read> bed: array<f32>;

fn valueAt(state: u32, i: u32) -> f32 {
  switch state {
    case 0u: { return truth[i]; }
    case 1u: { return forecast[i]; }
    default: { return analysis[i]; }
  }
}

fn depthAt(state: u32, cell: u32) -> f32 {
  return valueAt(state, cell) - select(0.0, bed[cell], parameters.isElevation != 0u);
}

// == water-levels ==
// Partial sums over cells of 1, h + bed and h of the wet ones, of each state: [3][parts]. Needs library/vector-reduction.wgsl and
// `water-library`. Workgroup: 256 invocations, at most as many of them along the cells as levelsOf takes; z is the state.
// Boundary: by the loop.

@group(0) @binding(5) var<storage, read_write> sums: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  var terms = vec4f();
  for (var cell = group.x * 256u + lane; cell < parameters.nx * parameters.ny; cell += parameters.levelParts * 256u) {
    let h = depthAt(group.z, cell);
    if (h > parameters.dryDepth) {
      terms += vec4f(1.0, h + bed[cell], h, 0.0);
    }
  }
  let total = workgroupSums(terms, lane);
  if (lane == 0u) {
    sums[group.z * parameters.levelParts + group.x] = total;
  }
}

// == water-budgets ==
// Partial sums over cells of the seven terms of water-budgets.ts, of each state: [3][7][parts]. Needs library/vector-reduction.wgsl
// and `water-library`. Workgroup: 256 invocations along the cells; z is the state.
// Boundary: differences are one-sided at ends that are not periodic; cells that are not there, and dry ones, add 0.

/// [3][levelParts], sums over cells of 1, h + bed and h of the wet ones.
@group(0) @binding(5) var<storage, read> levelSums: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> sums: array<f32>;

/// Of the derivative at j, how it takes its neighbour j + offset, in cells (geostrophic-balance/index.ts).
fn differenceWeight(j: i32, offset: i32, n: i32, isPeriodic: bool) -> f32 {
  if (isPeriodic || (j > 0 && j < n - 1)) {
    return 0.5 * f32(offset);
  }
  if (n == 1 || (j == 0 && offset < 0) || (j > 0 && offset > 0)) {
    return 0.0;
  }
  return select(sign(f32(offset) - 0.5), sign(f32(offset) + 0.5), j > 0);
}

/// What a neighbour adds to the slopes of η, of the momentum along the axis (a component) and of the velocity across it.
fn neighbour(state: u32, cell: u32, along: u32, across: u32, shallow: f32, level: f32, own: f32) -> vec3f {
  let cells = parameters.nx * parameters.ny;
  let h = depthAt(state, cell);
  var slopes = vec3f(own, 0.0, 0.0);
  if (h > parameters.dryDepth) {
    slopes = vec3f(h + bed[cell] - level, valueAt(state, along * cells + cell), 0.0);
  }
  if (h > shallow) {
    slopes.z = valueAt(state, across * cells + cell) / h;
  }
  return slopes;
}

/// Of a state: the mean elevation of the surface of its wet cells, and what is shallow there.
struct Levels {
  surface: f32,
  shallow: f32,
}

fn levelsOf(state: u32, lane: u32) -> Levels {
  var part = vec4f();
  if (lane < parameters.levelParts) {
    part = levelSums[state * parameters.levelParts + lane];
  }
  let total = workgroupSums(part, lane);
  let wet = max(total.x, 1.0);
  return Levels(total.y / wet, max(parameters.dryDepth, parameters.shallowShare * total.z / wet));
}

/// The seven terms of a wet cell, of which the last is 1.
struct Terms {
  first: vec4f,
  second: vec4f,
}

fn termsOf(state: u32, cell: u32, h: f32, levels: Levels) -> Terms {
  let nx = i32(parameters.nx);
  let ny = i32(parameters.ny);
  let i = i32(cell) % nx;
  let j = i32(cell) / nx;
  let level = levels.surface;
  let shallow = levels.shallow;
  let eta = h + bed[cell] - level;
  var alongX = vec3f();
  var alongY = vec3f();
  for (var d = -1; d <= 1; d++) {
    let x = differenceWeight(i, d, nx, parameters.periodicX != 0u);
    if (x != 0.0) {
      alongX += x * neighbour(state, u32(j * nx + (i + d + nx) % nx), 1u, 2u, shallow, level, eta);
    }
    let y = differenceWeight(j, d, ny, parameters.periodicY != 0u);
    if (y != 0.0) {
      alongY += y * neighbour(state, u32(((j + d + ny) % ny) * nx + i), 2u, 1u, shallow, level, eta);
    }
  }
  alongX *= parameters.perDx;
  alongY *= parameters.perDy;
  let cells = parameters.nx * parameters.ny;
  let velocity = vec2f(valueAt(state, cells + cell), valueAt(state, 2u * cells + cell)) / h;
  let f = parameters.f + parameters.betaDy * (f32(j) - 0.5 * f32(ny - 1));
  let pressure = parameters.gravity * vec2f(alongX.x, alongY.x);
  let unbalanced = pressure + f * vec2f(-velocity.y, velocity.x);
  let turning = alongX.z - alongY.z + f;
  return Terms(
    vec4f(
      h,
      0.5 * (h * dot(velocity, velocity) + parameters.gravity * eta * eta),
      select(0.0, 0.5 * turning * turning / h, h > shallow),
      abs(alongX.y + alongY.y),
    ),
    vec4f(h * dot(unbalanced, unbalanced), h * dot(pressure, pressure), 1.0, 0.0),
  );
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let levels = levelsOf(group.z, lane);
  var first = vec4f();
  var second = vec4f();
  for (var cell = group.x * 256u + lane; cell < parameters.nx * parameters.ny; cell += parameters.parts * 256u) {
    let h = depthAt(group.z, cell);
    if (h > parameters.dryDepth) {
      let terms = termsOf(group.z, cell, h, levels);
      first += terms.first;
      second += terms.second;
    }
  }
  let sums1 = workgroupSums(first, lane);
  let sums2 = workgroupSums(second, lane);
  if (lane < 7u) {
    sums[(group.z * 7u + lane) * parameters.parts + group.x] = select(sums1[lane % 4u], sums2[lane % 4u], lane >= 4u);
  }
}
