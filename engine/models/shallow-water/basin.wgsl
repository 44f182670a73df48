// What the shallow-water kernels know of their basin, and what they ask of a cell. After stepping.wgsl.

struct Basin {
  nx: u32,
  ny: u32,
  members: u32,
  /// Metres.
  dx: f32,
  dy: f32,
  /// m/s²
  gravity: f32,
  /// A depth up to this, metres, is taken as dry.
  dryDepth: f32,
  /// f, 1/s, in the middle of the basin, and β, 1/(m s).
  coriolis: f32,
  beta: f32,
  /// Manning's n, s/m^⅓.
  manning: f32,
}

/// Index of a boundary in boundary.ts.
override BOUNDARY_X: u32;
override BOUNDARY_Y: u32;
const WALL = 0u;
const PERIODIC = 1u;

fn modulo(i: i32, n: i32) -> i32 {
  return ((i % n) + n) % n;
}

/// The cell inside that stands for index `i` of an axis of `n` cells, any number of cells outside.
fn sourceCell(i: i32, n: i32, boundary: u32) -> i32 {
  if (i >= 0 && i < n) {
    return i;
  }
  if (boundary == WALL) {
    let folded = modulo(i, 2 * n);
    return select(2 * n - 1 - folded, folded, folded < n);
  }
  return select(clamp(i, 0, n - 1), modulo(i, n), boundary == PERIODIC);
}

/// Sign of the normal momentum at index `i`: −1 behind a wall.
fn sourceSign(i: i32, n: i32, boundary: u32) -> f32 {
  return select(1.0, -1.0, boundary == WALL && modulo(i, 2 * n) >= n);
}

/// (|u| + c)/dx or (|v| + c)/dy, 1/s, whichever is larger; 0 where it is dry.
fn waveRate(basin: Basin, h: f32, hu: f32, hv: f32) -> f32 {
  if (!(h > basin.dryDepth)) {
    return 0.0;
  }
  let c = sqrt(basin.gravity * h);
  return max((abs(hu / h) + c) / basin.dx, (abs(hv / h) + c) / basin.dy);
}

/// What is wrong with a cell after a step.
///
/// @param q component 0, hu, hv
/// @param ground elevation of the bed where component 0 is an elevation, else 0
/// @param dryAllowed whether the scheme knows dry cells
fn faultOf(basin: Basin, q: vec3f, ground: f32, dryAllowed: bool) -> Fault {
  for (var variable = 0u; variable < 3u; variable++) {
    if (!isFinite(q[variable])) {
      return Fault(true, NOT_FINITE, variable, q[variable]);
    }
  }
  let h = q.x - ground;
  if (!dryAllowed && h <= 0.0) {
    return Fault(true, NEGATIVE_DEPTH, 0u, h);
  }
  // With "auto" the next step gets the length that this state asks for.
  let courant = stepping.timeStep * waveRate(basin, h, q.y, q.z);
  if (courant > 1.0) {
    return Fault(true, COURANT, 0u, courant);
  }
  return NO_FAULT;
}
