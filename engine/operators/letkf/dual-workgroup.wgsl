// LETKF analysis in the space of the local observations, one grid point a workgroup, if there are too many observations
// for one invocation [hunt2007]. Equation: see dual-lane.wgsl.
//
// Bindings: see locality.wgsl. Workgroup: 64 lanes over observations, matrix entries or members; `order` is at least localCapacity.
// Observations met beyond localCapacity are omitted.

override memberCapacity: u32;

var<workgroup> localSlot: array<u32, order>;
var<workgroup> localRoot: array<f32, order>;
/// Members of four variables about their means.
var<workgroup> members: array<vec4f, memberCapacity>;

/// Lists the observations of positive weight around `place`. Returns how many.
fn findLocal(place: vec2f, lane: u32) -> u32 {
  let columns = binsWithinReach(place.x, parameters.reachX, parameters.nx, parameters.binsX, parameters.periodicX != 0u);
  let rows = binsWithinReach(place.y, parameters.reachY, parameters.ny, parameters.binsY, parameters.periodicY != 0u);
  var count = 0u;
  for (var r = 0u; r < rows.y; r++) {
    let row = (rows.x + r) % parameters.binsY;
    for (var part = 0u; part < 2u; part++) {
      let range = slotsOf(row, columns, part);
      for (var begin = range.x; begin < range.y; begin += LANES) {
        let chosen = choose(begin, range.y, place, lane);
        if (lane < chosen && count + lane < parameters.localCapacity) {
          localSlot[count + lane] = chosenSlot[lane];
          localRoot[count + lane] = chosenRoot[lane];
        }
        count = min(count + chosen, parameters.localCapacity);
        workgroupBarrier();
      }
    }
  }
  return count;
}

/// matrix <- S S^T.
fn gramMatrix(n: u32, lane: u32) {
  for (var i = lane / 8u; i < n; i += 8u) {
    for (var j = lane % 8u; j <= i; j += 8u) {
      var four = vec4f();
      for (var quad = 0u; quad < parameters.quads; quad++) {
        let a = anomalies[localSlot[i] * parameters.quads + quad];
        let b = anomalies[localSlot[j] * parameters.quads + quad];
        four = fma(a, b, four);
      }
      matrix[packed(i, j)] = localRoot[i] * localRoot[j] * ((four.x + four.y) + (four.z + four.w));
    }
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
  let n = findLocal(vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx)), lane);
  gramMatrix(n, lane);
  let scaling = scaleByTrace(n, lane);
  tridiagonalise(n, lane);
  for (var block = 0u; 4u * block <= parameters.variables; block++) {
    let bases = blockBases(block, cell);
    let origin = blockMember(bases, 0u);
    var sum = vec4f();
    for (var i = lane; i < parameters.members; i += LANES) {
      let x = blockMember(bases, i) - origin;
      members[i] = x;
      sum += x;
    }
    let mean = sumOfLanes(sum, lane) / f32(parameters.members);
    for (var a = lane; a < n; a += LANES) {
      var q = vec4f();
      for (var i = 0u; i < parameters.members; i++) {
        q += anomalies[localSlot[a] * parameters.quads + i / 4u][i % 4u] * (members[i] - mean);
      }
      q *= localRoot[a];
      if (block == 0u) {
        q.x = localRoot[a] * slots[localSlot[a]].z;
      }
      vectors[a] = q;
    }
    workgroupBarrier();
    applyFunction(n, scaling, 2u, scaling.factor, block, lane);
    let centre = mean + parameters.meanScale * alongMeanWeights(n, lane);
    for (var i = lane; i < n; i += LANES) {
      vectors[i] = results[i];
    }
    changeBasis(n, true, lane);
    for (var i = lane; i < parameters.members; i += LANES) {
      var x = members[i] - mean;
      for (var a = 0u; a < n; a++) {
        x -= localRoot[a] * anomalies[localSlot[a] * parameters.quads + i / 4u][i % 4u] * vectors[a];
      }
      writeMember(block, bases, i, origin + (centre + parameters.rootInflation * x));
    }
    workgroupBarrier();
  }
}
