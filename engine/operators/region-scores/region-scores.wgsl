// Scores by region (index.ts has the formula): a workgroup of 256 invocations for each variable of a region, along z. Each adds every
// 256th cell, then pairwise. Needs library/vector-reduction.wgsl. Boundary: by the loop.

/// Members l to l + 3 of an element, less what it is in truth: eight are asked for at once, as memory answers late.
fn fourFrom(t: f32, l: u32, i: u32, state: u32) -> vec4f {
  let at = l * state + i;
  return vec4f(ensemble[at], ensemble[at + state], ensemble[at + 2u * state], ensemble[at + 3u * state]) - t;
}

/// One after the other, as a loop adds them.
fn plus(sum: f32, terms: vec4f) -> f32 {
  return (((sum + terms.x) + terms.y) + terms.z) + terms.w;
}

/// The first cell of an axis in a part of it.
fn boundOf(part: u32, cells: u32, parts: u32) -> u32 {
  return (part * cells + parts - 1u) / parts;
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let members = parameters.members;
  let region = group.z / parameters.variables;
  let column = region % parameters.columns;
  let row = region / parameters.columns;
  let west = boundOf(column, parameters.nx, parameters.columns);
  let south = boundOf(row, parameters.ny, parameters.rows);
  let width = boundOf(column + 1u, parameters.nx, parameters.columns) - west;
  let count = width * (boundOf(row + 1u, parameters.ny, parameters.rows) - south);
  let cells = parameters.nx * parameters.ny;
  let state = parameters.variables * cells;
  let variable = (group.z % parameters.variables) * cells;
  // Of weights, square errors and variances.
  var own = vec4f();
  for (var k = lane; k < count; k += 256u) {
    let cell = (south + k / width) * parameters.nx + west + k % width;
    let i = variable + cell;
    let t = truth[i];
    var error = 0.0;
    var l = 0u;
    for (; l + 8u <= members; l += 8u) {
      let terms = array(fourFrom(t, l, i, state), fourFrom(t, l + 4u, i, state));
      error = plus(plus(error, terms[0]), terms[1]);
    }
    for (; l < members; l++) {
      error += ensemble[l * state + i] - t;
    }
    error /= f32(members);
    var variance = 0.0;
    l = 0u;
    for (; l + 8u <= members; l += 8u) {
      let terms = array(fourFrom(t, l, i, state) - error, fourFrom(t, l + 4u, i, state) - error);
      variance = plus(plus(variance, terms[0] * terms[0]), terms[1] * terms[1]);
    }
    for (; l < members; l++) {
      let anomaly = ensemble[l * state + i] - t - error;
      variance += anomaly * anomaly;
    }
    let w = weight[cell];
    own += vec4f(w, w * error * error, w * variance / f32(max(members, 2u) - 1u), 0.0);
  }
  let total = workgroupSums(own, lane);
  if (lane == 0u) {
    sums[3u * group.z] = total.x;
    sums[3u * group.z + 1u] = total.y;
    sums[3u * group.z + 2u] = total.z;
  }
}
