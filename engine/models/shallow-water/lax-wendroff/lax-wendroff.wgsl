// One step of Moler's two-step Lax–Wendroff scheme on a flat bottom [moler], of all members.
//
//     q½ = (q_a + q_b)/2 − dt/(2dx)·(f(q_b) − f(q_a)) on every face,  f = (hn, hn²/h + g h²/2, hn·ht/h)
//     q ← q − dt/dx·δₓf(q½) − dt/dy·δᵧg(q½)
//
// with hn the momentum normal to the face and ht the tangential one. A workgroup loads its cells and a ring of ghost cells
// (boundary rule: the table of sources), computes the flux through every face once, and writes its cells to the other
// buffer. Bindings: stepping.wgsl, basin, sources, before, after. Workgroups: tiles of 32 × 8 cells along x and y, members along z.

@group(0) @binding(4) var<uniform> basin: Basin;
@group(0) @binding(5) var<storage, read> sources: array<u32>;
@group(0) @binding(6) var<storage, read> before: array<f32>;
@group(0) @binding(7) var<storage, read_write> after: array<f32>;

const COLUMNS = 32u;
const ROWS = 8u;
const LANES = 256u;
const WIDTH = 34u;
const TILE = 340u;
const X_FACES = 264u;
const FACES = 552u;

/// h, hu, hv, 1/h, with the ring.
var<workgroup> tile: array<vec4f, TILE>;
/// Fluxes through the left faces of 33 columns in 8 rows, then through the lower faces of 9 rows.
var<workgroup> fluxes: array<vec3f, FACES>;
var<workgroup> seconds: f32;
var<workgroup> largest: atomic<u32>;

/// Flux of (depth, normal, tangential momentum); `inverse` is 1/depth.
fn flux(q: vec3f, inverse: f32) -> vec3f {
  let velocity = q.y * inverse;
  return vec3f(q.y, q.y * velocity + 0.5 * basin.gravity * q.x * q.x, q.z * velocity);
}

/// Flux through the face between two cells, half a step on. `ratio` is dt/(2dx).
fn faceFlux(a: vec3f, inverseA: f32, b: vec3f, inverseB: f32, ratio: f32) -> vec3f {
  let half = 0.5 * (a + b) - ratio * (flux(b, inverseB) - flux(a, inverseA));
  return flux(half, 1.0 / half.x);
}

@compute @workgroup_size(COLUMNS, ROWS)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let cells = basin.nx * basin.ny;
  let base = group.z * 3u * cells;
  if (lane == 0u) {
    seconds = stepSeconds();
    atomicStore(&largest, 0u);
  }
  let dt = workgroupUniformLoad(&seconds);

  for (var t = lane; t < TILE; t += LANES) {
    let i = i32(group.x * COLUMNS + t % WIDTH) - 1;
    let j = i32(group.y * ROWS + t / WIDTH) - 1;
    let x = unpackSource(sources[columnSource(basin, i)]);
    let y = unpackSource(sources[rowSource(basin, j)]);
    let origin = base + y.cell * basin.nx + x.cell;
    let h = before[origin];
    tile[t] = vec4f(h, x.sign * before[origin + cells], y.sign * before[origin + 2u * cells], 1.0 / h);
  }
  workgroupBarrier();

  let halfX = 0.5 * dt / basin.dx;
  let halfY = 0.5 * dt / basin.dy;
  for (var f = lane; f < FACES; f += LANES) {
    let alongX = f < X_FACES;
    let y = f - X_FACES;
    // Position in the tile of the cell before the face.
    let t = select((y / COLUMNS) * WIDTH + y % COLUMNS + 1u, (f / (COLUMNS + 1u) + 1u) * WIDTH + f % (COLUMNS + 1u), alongX);
    let a = tile[t];
    let b = tile[t + select(WIDTH, 1u, alongX)];
    let through = faceFlux(
      select(a.xzy, a.xyz, alongX),
      a.w,
      select(b.xzy, b.xyz, alongX),
      b.w,
      select(halfY, halfX, alongX),
    );
    fluxes[f] = select(through.xzy, through, alongX);
  }
  workgroupBarrier();

  let column = group.x * COLUMNS + local.x;
  let row = group.y * ROWS + local.y;
  let cell = row * basin.nx + column;
  if (column < basin.nx && row < basin.ny) {
    let west = local.y * (COLUMNS + 1u) + local.x;
    let south = X_FACES + local.y * COLUMNS + local.x;
    let start = tile[(local.y + 1u) * WIDTH + local.x + 1u].xyz;
    let alongX = fluxes[west + 1u] - fluxes[west];
    let alongY = fluxes[south + COLUMNS] - fluxes[south];
    let stepped = start - 2.0 * (halfX * alongX + halfY * alongY);
    // Without a step the state is handed through as it is: what is wrong with it may not be finite.
    let result = select(start, stepped, dt > 0.0);
    after[base + cell] = result.x;
    after[base + cells + cell] = result.y;
    after[base + 2u * cells + cell] = result.z;
    if (dt > 0.0 && faultOf(basin, result, 0.0, false).found) {
      recordFault(group.z * cells + cell);
    }
    if (stepping.automatic != 0u) {
      atomicMax(&largest, bitcast<u32>(waveRate(basin, result.x, result.y, result.z)));
    }
  }
  if (stepping.automatic != 0u) {
    workgroupBarrier();
    if (lane == 0u) {
      atomicMax(&status[RATE + (slot.x + 1u) % SLOTS], atomicLoad(&largest));
    }
  }
  if (lane == 0u && all(group == vec3u(0u))) {
    passOn(dt);
  }
}
