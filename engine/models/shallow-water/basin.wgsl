// What the shallow-water kernels know of their basin, and what they ask of a cell. After stepping.wgsl.

// The struct Basin is made of its description in webgpu-frame.ts.

/// Rings of ghost cells in the table of sources.
const RINGS = 3;

/// The cell along an axis that stands for one inside the grid or beyond, and the sign of its normal momentum.
struct Source {
  cell: u32,
  sign: f32,
}

/// Reads an entry of the table of sources (boundary.ts): the sign is in the highest bit.
fn unpackSource(word: u32) -> Source {
  return Source(word & 0x7fffffffu, select(1.0, -1.0, word > 0x7fffffffu));
}

/// Where column `i` is in the table of sources; a column farther out than its rings is one that nobody needs.
fn columnSource(basin: Basin, i: i32) -> u32 {
  return u32(min(i + RINGS, i32(basin.nx) + 2 * RINGS - 1));
}

/// Where row `j` is: rows follow columns.
fn rowSource(basin: Basin, j: i32) -> u32 {
  return basin.nx + u32(2 * RINGS + min(j + RINGS, i32(basin.ny) + 2 * RINGS - 1));
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
  // With "auto" the next step gets the length that this state asks for, but for the shortest one.
  let automatic = stepping.automatic != 0u;
  let duration = select(stepping.timeStep, clock[LONGEST] / f32(TICKS), automatic);
  let courant = duration * waveRate(basin, h, q.y, q.z);
  if (courant > stepping.courant) {
    return Fault(true, select(COURANT, STEP_TOO_SHORT, automatic), 0u, courant);
  }
  return NO_FAULT;
}
