// The parts of the LETKF that [letkf-gpu] put on GPUs, for every cell of [ny][nx]. Bindings follow from the operators' blocks.
// The observations around a cell are of itself and of its eight neighbours, 0 beyond the edge.

// == neighbours ==
const NEIGHBOURS = 9u;

/// The anomaly at a place that may be beyond the edge.
fn anomalyAt(member: u32, place: vec2i) -> f32 {
  let size = vec2i(vec2u(parameters.nx, parameters.ny));
  if (any(place < vec2i()) || any(place >= size)) {
    return 0.0;
  }
  return anomalies[(member * parameters.ny + u32(place.y)) * parameters.nx + u32(place.x)];
}

/// The anomaly of neighbour o of a cell.
fn neighbour(member: u32, cell: u32, o: u32) -> f32 {
  let place = vec2u(cell % parameters.nx + o % 3u, cell / parameters.nx + o / 3u);
  return anomalyAt(member, vec2i(place) - 1);
}

// == naive ==
// C = Y^T R^-1: an invocation a cell, all members one after the other. Each factor comes from global memory each time.
// Workgroup: 64 cells, folded into x and y.

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let cell = linearIndex(id, groups, 64u);
  if (cell >= parameters.nx * parameters.ny) {
    return;
  }
  for (var member = 0u; member < parameters.members; member++) {
    for (var o = 0u; o < NEIGHBOURS; o++) {
      var sum = 0.0;
      for (var q = 0u; q < NEIGHBOURS; q++) {
        sum = fma(neighbour(member, cell, q), inverseR[q * NEIGHBOURS + o], sum);
      }
      c[(cell * parameters.members + member) * NEIGHBOURS + o] = sum;
    }
  }
}

// == tiles ==
// C = Y^T R^-1 from workgroup memory, which holds R^-1, and of one member at a time a tile of cells with those around it.
// Workgroup: 16 x 16 cells, an invocation a cell. The workgroups of a tile share its members: LAYERS is 1, or the number of
// members, which is the decomposition of [letkf-gpu]. They are beside each other along x, since what they write is.

const SIDE = 16u;
const TILE = SIDE + 2u;

override LAYERS: u32;

var<workgroup> tile: array<f32, TILE * TILE>;
var<workgroup> weights: array<f32, NEIGHBOURS * NEIGHBOURS>;

@compute @workgroup_size(16, 16)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first = SIDE * vec2u(group.x / LAYERS, group.y);
  let place = first + local.xy;
  let inside = place.x < parameters.nx && place.y < parameters.ny;
  let cell = place.y * parameters.nx + place.x;
  if (lane < NEIGHBOURS * NEIGHBOURS) {
    weights[lane] = inverseR[lane];
  }
  for (var member = group.x % LAYERS; member < parameters.members; member += LAYERS) {
    for (var e = lane; e < TILE * TILE; e += SIDE * SIDE) {
      tile[e] = anomalyAt(member, vec2i(first + vec2u(e % TILE, e / TILE)) - 1);
    }
    workgroupBarrier();
    if (inside) {
      for (var o = 0u; o < NEIGHBOURS; o++) {
        var sum = 0.0;
        for (var q = 0u; q < NEIGHBOURS; q++) {
          sum = fma(tile[(local.y + q / 3u) * TILE + local.x + q % 3u], weights[q * NEIGHBOURS + o], sum);
        }
        c[(cell * parameters.members + member) * NEIGHBOURS + o] = sum;
      }
    }
    workgroupBarrier();
  }
}

// == product ==
// P = C Y: a workgroup a cell, an invocation a column. Workgroup: 32 invocations, folded into x and y. `order` is k.

const LANES = 32u;

override order: u32;
override lengthOfC: u32 = order * NEIGHBOURS;

/// C of the cell [k][9].
var<workgroup> weighted: array<f32, lengthOfC>;

@compute @workgroup_size(32)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let cell = group.x + group.y * groups.x;
  if (cell >= parameters.nx * parameters.ny) {
    return;
  }
  for (var e = lane; e < lengthOfC; e += LANES) {
    weighted[e] = c[cell * lengthOfC + e];
  }
  workgroupBarrier();
  for (var j = lane; j < order; j += LANES) {
    var observed: array<f32, NEIGHBOURS>;
    for (var o = 0u; o < NEIGHBOURS; o++) {
      observed[o] = neighbour(j, cell, o);
    }
    for (var i = 0u; i < order; i++) {
      var sum = 0.0;
      for (var o = 0u; o < NEIGHBOURS; o++) {
        sum = fma(weighted[i * NEIGHBOURS + o], observed[o], sum);
      }
      product[(cell * order + i) * order + j] = sum;
    }
  }
}

// == inverse ==
// [(k - 1) I/rho + P]^-1 by Gauss-Jordan elimination in workgroup memory: a workgroup a cell, an invocation a column. Without
// pivots: the matrix is symmetric and positive. Workgroup: 32 invocations, folded into x and y. `order` is k.

const LANES = 32u;

override order: u32;
/// A row and one more, so that a column's elements are in different banks.
override matrixLength: u32 = order * (order + 1u);

var<workgroup> matrix: array<f32, matrixLength>;
/// The column of the pivot.
var<workgroup> column: array<f32, order>;

fn at(i: u32, j: u32) -> u32 {
  return i * (order + 1u) + j;
}

/// Column j after the elimination of pivot p.
fn eliminate(p: u32, j: u32) {
  let d = 1.0 / column[p];
  if (j == p) {
    for (var i = 0u; i < order; i++) {
      matrix[at(i, p)] = select(-column[i] * d, d, i == p);
    }
    return;
  }
  let scaled = matrix[at(p, j)] * d;
  for (var i = 0u; i < order; i++) {
    matrix[at(i, j)] = select(fma(-column[i], scaled, matrix[at(i, j)]), scaled, i == p);
  }
}

@compute @workgroup_size(32)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let cell = group.x + group.y * groups.x;
  if (cell >= parameters.nx * parameters.ny) {
    return;
  }
  for (var e = lane; e < order * order; e += LANES) {
    let i = e / order;
    let j = e % order;
    matrix[at(i, j)] = product[cell * order * order + e] + select(0.0, parameters.diagonal, i == j);
  }
  workgroupBarrier();
  for (var p = 0u; p < order; p++) {
    for (var i = lane; i < order; i += LANES) {
      column[i] = matrix[at(i, p)];
    }
    workgroupBarrier();
    for (var j = lane; j < order; j += LANES) {
      eliminate(p, j);
    }
    workgroupBarrier();
  }
  for (var e = lane; e < order * order; e += LANES) {
    covariance[cell * order * order + e] = matrix[at(e / order, e % order)];
  }
}
