// What the local analyses need, and those in ensemble space.

// == standardise ==
// Observations in units of their error, in the order of the bins: R^-1/2 Y sqrt(rho/(k - 1)) and R^-1/2 (y - mean Y)
// [hunt2007], so that the analysis kernels read the neighbours of a grid point one after the other.
//
// Bindings: 0 parameters; 1 H of each member [k][p]; 2 values, 3 inverse deviation, 4 x, 5 y: [p]; 6 the observation of each
// slot of the bins [p]; 7 scaled anomalies by slot, members padded with zeros to a multiple of four; 8 by slot: x, y,
// innovation, and the observation's number from 1 on where it is there, else 0.
// Workgroup: 64 slots. An observation of inverse deviation 0 becomes zeros, whatever its other numbers are.

@group(0) @binding(0) var<uniform> shape: Shape;
@group(0) @binding(1) var<storage, read> observedEnsemble: array<f32>;
@group(0) @binding(2) var<storage, read> values: array<f32>;
@group(0) @binding(3) var<storage, read> inverseErrorStd: array<f32>;
@group(0) @binding(4) var<storage, read> positionX: array<f32>;
@group(0) @binding(5) var<storage, read> positionY: array<f32>;
@group(0) @binding(6) var<storage, read> binObservations: array<u32>;
@group(0) @binding(7) var<storage, read_write> anomalies: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> slots: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let slot = linearIndex(id, groups, 64u);
  if (slot >= shape.observations) {
    return;
  }
  let observation = binObservations[slot];
  let scale = inverseErrorStd[observation];
  let present = scale > 0.0;
  // About the first member, so that the mean keeps the digits of the anomalies.
  let first = observedEnsemble[observation];
  var sum = 0.0;
  for (var member = 1u; member < shape.members; member++) {
    sum += observedEnsemble[member * shape.observations + observation] - first;
  }
  let mean = sum / f32(shape.members);
  for (var quad = 0u; quad < shape.quads; quad++) {
    var four = vec4f();
    for (var c = 0u; c < 4u; c++) {
      let member = min(4u * quad + c, shape.members - 1u);
      let anomaly = (observedEnsemble[member * shape.observations + observation] - first) - mean;
      four[c] = select(0.0, scale * shape.anomalyScale * anomaly, present && 4u * quad + c < shape.members);
    }
    anomalies[slot * shape.quads + quad] = four;
  }
  let innovation = select(0.0, scale * ((values[observation] - first) - mean), present);
  slots[slot] = vec4f(positionX[observation], positionY[observation], innovation, select(0.0, f32(observation + 1u), present));
}

// == as-set ==
// All grid points have the inflation that is set, and the weights of their observations.

fn rootFactor(place: vec2f) -> f32 {
  return 1.0;
}

// == at-each-point ==
// Every grid point has a factor rho of its own beside the inflation that is set. Rows of S and d that are sqrt(rho) times as large
// make of X what those of the point make of sqrt(rho) X, but for sqrt(rho) in the anomalies.
//
// Bindings: 7 the factors [ny][nx].

@group(0) @binding(7) var<storage, read> factors: array<f32>;

fn rootFactor(place: vec2f) -> f32 {
  return sqrt(factors[u32(place.y) * parameters.nx + u32(place.x)]);
}

// == neighbours ==
// The slots around a grid point, by bins: of those in the rows `rowsNear` and the columns `columnsNear` of bins, those whose root
// weight is above 0. Needs `as-set` or `at-each-point`. Boundary rule: on periodic axes distances are those to the nearest image, and each bin is visited once.

fn columnsNear(place: vec2f) -> vec2u {
  return binsWithinReach(place.x, parameters.reachX, parameters.nx, parameters.binsX, parameters.periodicX != 0u);
}

fn rowsNear(place: vec2f) -> vec2u {
  return binsWithinReach(place.y, parameters.reachY, parameters.ny, parameters.binsY, parameters.periodicY != 0u);
}

/// Slots from x up to y of one of the two parts (0, and 1 after the wrap) of the bins `columns` in a row of bins.
fn slotsOf(row: u32, columns: vec2u, part: u32) -> vec2u {
  let end = columns.x + columns.y;
  let wraps = end > parameters.binsX;
  let begin = select(columns.x, 0u, part == 1u);
  let stop = select(select(0u, end - parameters.binsX, wraps), select(end, parameters.binsX, wraps), part == 0u);
  let base = row * parameters.binsX;
  return vec2u(binStart[base + begin], binStart[base + stop]);
}

/// The square root of the Gaspari-Cohn weight of a slot at grid point `place`, times what the point stretches; 0 out of reach and
/// where it is not there.
fn rootWeight(slot: vec4f, place: vec2f) -> f32 {
  let dx = shortest(slot.x - place.x, parameters.nx, parameters.periodicX);
  let dy = parameters.aspect * shortest(slot.y - place.y, parameters.ny, parameters.periodicY);
  let z = sqrt(dx * dx + dy * dy) * parameters.inverseHalfWidthCells;
  return select(0.0, sqrt(gaspariCohn(z)) * rootFactor(place), slot.w > 0.0);
}

// == whitened-rows ==
// The same of rows that whitening.wgsl has made for the grid points of a batch: each point has `localCapacity` of its own.
// Its parameters have a bin for each grid point.

fn columnsNear(place: vec2f) -> vec2u {
  return vec2u(u32(place.x), 1u);
}

fn rowsNear(place: vec2f) -> vec2u {
  return vec2u(u32(place.y), 1u);
}

fn slotsOf(row: u32, columns: vec2u, part: u32) -> vec2u {
  let first = (row * parameters.binsX + columns.x - parameters.firstCell) * parameters.localCapacity;
  return select(vec2u(), vec2u(first, first + parameters.localCapacity), part == 0u);
}

/// Their weight is in them.
fn rootWeight(slot: vec4f, place: vec2f) -> f32 {
  return select(0.0, rootFactor(place), slot.w > 0.0);
}

// == scaling ==

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

// == lists ==
// The observations of positive weight around each grid point of a batch, in the order in which they are met; those met beyond LISTED
// are omitted. The analysis kernel of a few local observations has several invocations for a grid point, of which a search would
// employ one. Needs `as-set`, and `neighbours` or `whitened-rows`.
//
// Bindings: 0 parameters; 1 slots; 2 first slot of each bin; 3 lists [LISTED][grid points of the batch]: slot, and the bits of the root
// of its weight, of what is set; where a point has fewer, slot 0 of weight 0. Workgroup: 64 grid points along x.

override LISTED: u32;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> slots: array<vec4f>;
@group(0) @binding(2) var<storage, read> binStart: array<u32>;
@group(0) @binding(3) var<storage, read_write> lists: array<vec2u>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let points = parameters.endCell - parameters.firstCell;
  let point = linearIndex(id, groups, 64u);
  if (point >= points) {
    return;
  }
  let cell = parameters.firstCell + point;
  let place = vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx));
  let columns = columnsNear(place);
  let rows = rowsNear(place);
  var count = 0u;
  for (var r = 0u; r < rows.y; r++) {
    let row = (rows.x + r) % parameters.binsY;
    for (var part = 0u; part < 2u; part++) {
      let range = slotsOf(row, columns, part);
      for (var slot = range.x; slot < range.y; slot++) {
        let root = rootWeight(slots[slot], place);
        if (root > 0.0 && count < LISTED) {
          lists[count * points + point] = vec2u(slot, bitcast<u32>(root));
          count += 1u;
        }
      }
    }
  }
  for (; count < LISTED; count++) {
    lists[count * points + point] = vec2u();
  }
}

// == searching ==
@group(0) @binding(5) var<storage, read> binStart: array<u32>;

// == listed ==
@group(0) @binding(5) var<storage, read> lists: array<vec2u>;

// == locality ==
// Shared by the LETKF's analysis kernels: their arrays, and the poles. Needs `scaling`, and `listed` or `searching` with `neighbours` or
// `whitened-rows`.
//
// Bindings: 0 parameters; 1 ensemble and 2 analysis [k][variables][ny][nx]; 3 scaled anomalies of the observed ensemble
// [slot][k padded to a multiple of 4]; 4 slots (x, y, innovation, number); 5 first slot of each bin, or the lists; 6 poles by class.

/// Entries of a pole class; no class has more poles.
const POLE_STRIDE = 16u;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read_write> analysis: array<f32>;
@group(0) @binding(3) var<storage, read> anomalies: array<vec4f>;
@group(0) @binding(4) var<storage, read> slots: array<vec4f>;
/// Class c holds for matrices I + G of condition up to 4^(c + 1): (shift, weight of the root, weight of f, number of poles).
@group(0) @binding(6) var<storage, read> poles: array<vec4f>;

/// Where the poles begin that hold for eigenvalues of I + G up to `bound`.
fn polesFor(bound: f32) -> u32 {
  let exponent = ceil(0.5 * log2(bound)) - 1.0;
  return u32(clamp(exponent, 0.0, f32(parameters.poleClasses - 1u))) * POLE_STRIDE;
}

/// What the anomalies of a grid point are multiplied by: sqrt(rho).
fn stretchAt(cell: u32) -> f32 {
  return parameters.rootInflation * rootFactor(vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx)));
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

// == members ==
// The problem in the space of the members, for any number of local observations: A = S^T S and S^T d. Needs `choosing` and
// `workgroup-tridiagonal`. The observations stream through a tile of TILE rows.

const TILE = 8u;

override tileLength: u32 = TILE * order;

/// Rows of S.
var<workgroup> tile: array<f32, tileLength>;
/// S^T d.
var<workgroup> gradient: array<f32, order>;

/// Adds observations from ... to of the chosen ones to matrix and gradient.
fn accumulate(begin: u32, end: u32, lane: u32) {
  let rows = end - begin;
  let k = parameters.members;
  for (var e = lane; e < rows * k; e += LANES) {
    let j = begin + e / k;
    let i = e % k;
    tile[e] = chosenRoot[j] * anomalies[chosenSlot[j] * parameters.quads + i / 4u][i % 4u];
  }
  workgroupBarrier();
  for (var i = lane / 8u; i < k; i += 8u) {
    for (var j = lane % 8u; j <= i; j += 8u) {
      var sum = 0.0;
      for (var row = 0u; row < rows; row++) {
        sum = fma(tile[row * k + i], tile[row * k + j], sum);
      }
      matrix[packed(i, j)] += sum;
    }
  }
  for (var i = lane; i < k; i += LANES) {
    var sum = 0.0;
    for (var row = 0u; row < rows; row++) {
      sum = fma(tile[row * k + i], chosenRoot[begin + row] * slots[chosenSlot[begin + row]].z, sum);
    }
    gradient[i] += sum;
  }
  workgroupBarrier();
}

/// matrix <- A and gradient <- S^T d of the observations around `place`.
fn gatherMembers(place: vec2f, lane: u32) {
  let columns = columnsNear(place);
  let rows = rowsNear(place);
  // By hand: SwiftShader does not keep the promise that workgroup memory starts as zeros.
  for (var e = lane; e < packedLength; e += LANES) {
    matrix[e] = 0.0;
  }
  for (var i = lane; i < order; i += LANES) {
    gradient[i] = 0.0;
  }
  workgroupBarrier();
  for (var r = 0u; r < rows.y; r++) {
    let row = (rows.x + r) % parameters.binsY;
    for (var part = 0u; part < 2u; part++) {
      let range = slotsOf(row, columns, part);
      for (var begin = range.x; begin < range.y; begin += LANES) {
        let chosen = choose(begin, range.y, place, lane);
        for (var tileBegin = 0u; tileBegin < chosen; tileBegin += TILE) {
          accumulate(tileBegin, min(tileBegin + TILE, chosen), lane);
        }
      }
    }
  }
}

// == primal ==
// LETKF analysis in the space of the members, one grid point a workgroup, for any number of local observations [hunt2007].
//
//   A = S^T S (k x k),  analysis = mean + sqrt(rho) (I + A)^-1/2 X + sqrt(rho/(k - 1)) X (I + A)^-1 S^T d.
//
// Needs `each-point` and `members`. Bindings: see `locality`. 64 lanes over members or matrix entries; `order` is at least the
// number of members.

fn atPoint(cell: u32, place: vec2f, lane: u32) {
  gatherMembers(place, lane);
  let k = parameters.members;
  let stretch = stretchAt(cell);
  let scaling = scaleByTrace(k, lane);
  tridiagonalise(k, lane);
  for (var block = 0u; 4u * block <= parameters.variables; block++) {
    let bases = blockBases(block, cell);
    let origin = blockMember(bases, 0u);
    var sum = vec4f();
    for (var i = lane; i < k; i += LANES) {
      let x = blockMember(bases, i) - origin;
      vectors[i] = x;
      sum += x;
    }
    let mean = sumOfLanes(sum, lane) / f32(k);
    for (var i = lane; i < k; i += LANES) {
      vectors[i] -= mean;
      if (block == 0u) {
        vectors[i].x = gradient[i];
      }
    }
    workgroupBarrier();
    applyFunction(k, scaling, 1u, scaling.unit, block, lane);
    let centre = mean + parameters.meanScale * alongMeanWeights(k, lane);
    for (var i = lane; i < k; i += LANES) {
      vectors[i] = results[i];
    }
    changeBasis(k, true, lane);
    for (var i = lane; i < k; i += LANES) {
      writeMember(block, bases, i, origin + (centre + stretch * vectors[i]));
    }
    workgroupBarrier();
  }
}
