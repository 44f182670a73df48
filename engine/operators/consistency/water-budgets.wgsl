// Partial sums over 256 cells of the seven terms of water-budgets.ts, of each state: [3][7][parts]. Needs library/reduction.wgsl and
// water-library.wgsl. Workgroup: 256 invocations along the cells, parts folded into x and y; z is the state.
// Boundary: differences are one-sided at ends that are not periodic; cells that are not there, and dry ones, add 0.

/// [3][3], means over all cells of 1, h + bed and h of the wet ones.
@group(0) @binding(5) var<storage, read> levels: array<f32>;
@group(0) @binding(6) var<storage, read_write> sums: array<f32>;

/// Of the derivative at j, how it takes its neighbour j + offset, in cells (difference-weight.ts).
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

fn termsOf(state: u32, cell: u32, h: f32) -> array<f32, 7> {
  let nx = i32(parameters.nx);
  let ny = i32(parameters.ny);
  let i = i32(cell) % nx;
  let j = i32(cell) / nx;
  let wet = max(levels[state * 3u], 1e-30);
  let level = levels[state * 3u + 1u] / wet;
  let shallow = max(parameters.dryDepth, parameters.shallowShare * levels[state * 3u + 2u] / wet);
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
  return array<f32, 7>(
    h,
    0.5 * (h * dot(velocity, velocity) + parameters.gravity * eta * eta),
    select(0.0, 0.5 * turning * turning / h, h > shallow),
    abs(alongX.y + alongY.y),
    h * dot(unbalanced, unbalanced),
    h * dot(pressure, pressure),
    1.0,
  );
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.y * groups.x;
  let cell = part * 256u + lane;
  var terms: array<f32, 7>;
  if (cell < parameters.nx * parameters.ny) {
    let h = depthAt(group.z, cell);
    if (h > parameters.dryDepth) {
      terms = termsOf(group.z, cell, h);
    }
  }
  for (var row = 0u; row < 7u; row++) {
    let total = workgroupSum(terms[row], lane);
    if (lane == 0u && part < parameters.parts) {
      sums[(group.z * 7u + row) * parameters.parts + part] = total;
    }
  }
}
