// One step of Moler's two-step Lax–Wendroff scheme on a flat bottom [moler], of all members.
//
//     q½ = (q_a + q_b)/2 − dt/(2dx)·(f(q_b) − f(q_a)) on every face,  f = (hn, hn²/h + g h²/2, hn·ht/h)
//     q ← q − dt/dx·δₓf(q½) − dt/dy·δᵧg(q½)
//
// with hn the momentum normal to the face and ht the tangential one. An invocation makes the four fluxes of its own cell
// from the cell and its neighbours: the step moves six reals a cell and makes some 200 operations, so that memory sets the
// pace and the neighbours come from cache; sharing fluxes through workgroup memory would only add barriers.
// Boundary rule: the table of sources. Bindings: stepping.wgsl, basin, sources, before, after. Workgroups: 32 × 4 cells along
// x and y, members along z.

@group(0) @binding(4) var<uniform> basin: Basin;
@group(0) @binding(5) var<storage, read> sources: array<u32>;
@group(0) @binding(6) var<storage, read> before: array<f32>;
@group(0) @binding(7) var<storage, read_write> after: array<f32>;

/// h, hu, hv of the cell that stands for column i and row j of a member, which may lie beyond the grid.
fn cellAt(base: u32, i: i32, j: i32) -> vec3f {
  let x = unpackSource(sources[columnSource(basin, i)]);
  let y = unpackSource(sources[rowSource(basin, j)]);
  let cells = basin.nx * basin.ny;
  let place = base + y.cell * basin.nx + x.cell;
  return vec3f(before[place], x.sign * before[place + cells], y.sign * before[place + 2u * cells]);
}

/// Flux of (depth, normal, tangential momentum).
fn flux(q: vec3f) -> vec3f {
  let velocity = q.y / q.x;
  return vec3f(q.y, q.y * velocity + 0.5 * basin.gravity * q.x * q.x, q.z * velocity);
}

/// Flux through the face between two cells, half a step on; `fluxA`, `fluxB` are theirs, `ratio` is dt/(2dx).
fn faceFlux(a: vec3f, fluxA: vec3f, b: vec3f, fluxB: vec3f, ratio: f32) -> vec3f {
  return flux(0.5 * (a + b) - ratio * (fluxB - fluxA));
}

/// Difference of the fluxes through the two faces of a cell along one axis.
fn fluxDifference(low: vec3f, centre: vec3f, high: vec3f, ratio: f32) -> vec3f {
  let own = flux(centre);
  return faceFlux(centre, own, high, flux(high), ratio) - faceFlux(low, flux(low), centre, own, ratio);
}

@compute @workgroup_size(32, 4)
fn main(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= basin.nx || id.y >= basin.ny) {
    return;
  }
  let cells = basin.nx * basin.ny;
  let base = id.z * 3u * cells;
  let cell = id.y * basin.nx + id.x;
  let dt = stepSeconds();
  let i = i32(id.x);
  let j = i32(id.y);
  let start = cellAt(base, i, j);
  let halfX = 0.5 * dt / basin.dx;
  let halfY = 0.5 * dt / basin.dy;
  let alongX = fluxDifference(cellAt(base, i - 1, j), start, cellAt(base, i + 1, j), halfX);
  let alongY = fluxDifference(cellAt(base, i, j - 1).xzy, start.xzy, cellAt(base, i, j + 1).xzy, halfY).xzy;
  let stepped = start - 2.0 * (halfX * alongX + halfY * alongY);
  // Without a step the state is handed through as it is: what is wrong with it may not be finite.
  let result = select(start, stepped, dt > 0.0);
  after[base + cell] = result.x;
  after[base + cells + cell] = result.y;
  after[base + 2u * cells + cell] = result.z;

  if (dt > 0.0 && faultOf(basin, result, 0.0, false).found) {
    recordFault(id.z * cells + cell);
  }
  if (stepping.automatic != 0u) {
    raiseRate(waveRate(basin, result.x, result.y, result.z));
  }
  if (all(id == vec3u(0u))) {
    passOn(dt);
  }
}
