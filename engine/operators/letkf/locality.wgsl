// Shared by the LETKF's analysis kernels: their parameters and arrays, the observations around a grid point, and the poles.
//
// Bindings: 0 parameters; 1 ensemble and 2 analysis [k][variables][ny][nx]; 3 scaled anomalies of the observed ensemble
// [slot][k padded to a multiple of 4]; 4 slots (x, y, innovation, present); 5 first slot of each bin; 6 poles by class.
// Boundary rule: on periodic axes distances are those to the nearest image, and each bin is visited once.

/// Entries of a pole class; no class has more poles.
const POLE_STRIDE = 16u;

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read_write> analysis: array<f32>;
@group(0) @binding(3) var<storage, read> anomalies: array<vec4f>;
@group(0) @binding(4) var<storage, read> slots: array<vec4f>;
@group(0) @binding(5) var<storage, read> binStart: array<u32>;
/// Class c holds for matrices I + G of condition up to 4^(c + 1): (shift, weight of the root, weight of f, number of poles).
@group(0) @binding(6) var<storage, read> poles: array<vec4f>;

/// Slots from x up to y of one of the two parts (0, and 1 after the wrap) of the bins `columns` in a row of bins.
fn slotsOf(row: u32, columns: vec2u, part: u32) -> vec2u {
  let end = columns.x + columns.y;
  let wraps = end > parameters.binsX;
  let begin = select(columns.x, 0u, part == 1u);
  let stop = select(select(0u, end - parameters.binsX, wraps), select(end, parameters.binsX, wraps), part == 0u);
  let base = row * parameters.binsX;
  return vec2u(binStart[base + begin], binStart[base + stop]);
}

/// The square root of the Gaspari-Cohn weight of a slot at grid point `place`; 0 out of reach and where it is not there.
fn rootWeight(slot: vec4f, place: vec2f) -> f32 {
  let dx = shortest(slot.x - place.x, parameters.nx, parameters.periodicX);
  let dy = parameters.aspect * shortest(slot.y - place.y, parameters.ny, parameters.periodicY);
  let z = sqrt(dx * dx + dy * dy) * parameters.inverseHalfWidthCells;
  return select(0.0, sqrt(gaspariCohn(z)), slot.w > 0.0);
}

/// Where the poles begin that hold for eigenvalues of I + G up to `bound`.
fn polesFor(bound: f32) -> u32 {
  let exponent = ceil(0.5 * log2(bound)) - 1.0;
  return u32(clamp(exponent, 0.0, f32(parameters.poleClasses - 1u))) * POLE_STRIDE;
}

/// The kernels scale their matrix (G, or A = S^T S) to trace below 1; the unit is then this share of the trace. The floor
/// holds where observations are so accurate that float32 cannot resolve the smallest eigenvalues of I + G any more: the
/// observation error variance then counts as at least 2^-20 of the trace, that is an error of a thousandth of the spread.
const SMALLEST_UNIT = 1.0 / 1048576.0;

struct Scaling {
  /// 1/(1 + trace): the matrix is multiplied by it.
  factor: f32,
  /// What I becomes: the factor, or its floor. The condition is at most 1/unit.
  unit: f32,
}

fn scalingOf(trace: f32) -> Scaling {
  let factor = 1.0 / (1.0 + trace);
  return Scaling(factor, max(factor, SMALLEST_UNIT));
}

/// Right sides are taken four at a time, as a vec4f: side 0 belongs to the mean weights, side 1 + v to variable v. This is
/// where the first members of block `block` are in the ensemble; sides that are no variable repeat another.
fn blockBases(block: u32, cell: u32) -> vec4u {
  let variable = max(vec4u(4u * block) + vec4u(0u, 1u, 2u, 3u), vec4u(1u)) - 1u;
  return min(variable, vec4u(parameters.variables - 1u)) * (parameters.nx * parameters.ny) + cell;
}

fn blockMember(bases: vec4u, member: u32) -> vec4f {
  let at = bases + member * parameters.variables * parameters.nx * parameters.ny;
  return vec4f(ensemble[at.x], ensemble[at.y], ensemble[at.z], ensemble[at.w]);
}

fn writeMember(block: u32, bases: vec4u, member: u32, values: vec4f) {
  for (var c = 0u; c < 4u; c++) {
    let side = 4u * block + c;
    if (side > 0u && side <= parameters.variables) {
      analysis[bases[c] + member * parameters.variables * parameters.nx * parameters.ny] = values[c];
    }
  }
}

/// The weights of the four sides for a pole: the mean's side of the first block takes none.
fn sideWeights(block: u32, weight: f32) -> vec4f {
  return vec4f(select(weight, 0.0, block == 0u), vec3f(weight));
}
