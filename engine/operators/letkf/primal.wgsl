// LETKF analysis in the space of the members, one grid point a workgroup, for any number of local observations [hunt2007].
//
//   A = S^T S (k x k),  analysis = mean + sqrt(rho) (I + A)^-1/2 X + sqrt(rho/(k - 1)) X (I + A)^-1 S^T d.
//
// Bindings: see locality.wgsl. Workgroup: 64 lanes over members or matrix entries; `order` is at least the number of members. The
// observations stream through a tile of TILE rows.

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

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let cell = group.x + group.y * groups.x;
  if (cell >= parameters.nx * parameters.ny) {
    return;
  }
  let place = vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx));
  let columns = binsWithinReach(place.x, parameters.reachX, parameters.nx, parameters.binsX, parameters.periodicX != 0u);
  let rows = binsWithinReach(place.y, parameters.reachY, parameters.ny, parameters.binsY, parameters.periodicY != 0u);
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
  let k = parameters.members;
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
      writeMember(block, bases, i, origin + (centre + parameters.rootInflation * vectors[i]));
    }
    workgroupBarrier();
  }
}
