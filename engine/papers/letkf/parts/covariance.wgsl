// P = [(k - 1) I/rho + C Y]^-1 of every cell [letkf-gpu, hunt2007] by Gauss-Jordan elimination in workgroup memory: a workgroup a
// cell, a lane a column. Without pivots: the matrix is symmetric and positive.
// Bindings: 0 parameters, 1 anomalies [k][ny][nx], 2 C [ny][nx][k][9], 3 P [ny][nx][k][k].
// Workgroup: 32 lanes, folded into x and y. `order` is k. Neighbours beyond the edge count as 0.

const LANES = 32u;

override order: u32;
/// A row and one more, so that a column's elements lie in different banks.
override matrixLength: u32 = order * (order + 1u);
override observedLength: u32 = 9u * order;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> anomalies: array<f32>;
@group(0) @binding(2) var<storage, read> c: array<f32>;
@group(0) @binding(3) var<storage, read_write> covariance: array<f32>;

var<workgroup> matrix: array<f32, matrixLength>;
/// Y and C of the cell, [member][9].
var<workgroup> observed: array<f32, observedLength>;
var<workgroup> weighted: array<f32, observedLength>;
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
  for (var e = lane; e < order * NEIGHBOURS; e += LANES) {
    weighted[e] = c[cell * order * NEIGHBOURS + e];
    observed[e] = neighbour(e / NEIGHBOURS, cell, e % NEIGHBOURS);
  }
  workgroupBarrier();
  for (var j = lane; j < order; j += LANES) {
    for (var i = 0u; i < order; i++) {
      var sum = select(0.0, parameters.diagonal, i == j);
      for (var o = 0u; o < NEIGHBOURS; o++) {
        sum = fma(weighted[i * NEIGHBOURS + o], observed[j * NEIGHBOURS + o], sum);
      }
      matrix[at(i, j)] = sum;
    }
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
