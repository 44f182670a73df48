// Weights of an ensemble transform at the nodes of a coarse grid, interpolated bilinearly and applied in every cell [yang2009]:
//   analysis_i = x_0 + sum over m of T_im (x_m - x_0),   T by the shares of the four nodes around the cell.
// Needs library/index.wgsl. Workgroup: 64 invocations along the cells; workgroups along z are MEMBERS members of the analysis.
// Boundary: guarded; the tables say which nodes are neighbours across the ends of an axis.

const MEMBERS = 8u;

/// Nodes on both sides of a cell along x, or from nx on along y.
fn nodesAt(cell: u32) -> vec2u {
  return vec2u(nodes[2u * cell], nodes[2u * cell + 1u]);
}

/// Four variables of a member, of which those beyond the last repeat it.
fn memberAt(bases: vec4u, member: u32) -> vec4f {
  let at = bases + member * parameters.variables * parameters.nx * parameters.ny;
  return vec4f(ensemble[at.x], ensemble[at.y], ensemble[at.z], ensemble[at.w]);
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let cell = linearIndex(id, groups, 64u);
  let cells = parameters.nx * parameters.ny;
  if (cell >= cells) {
    return;
  }
  let x = cell % parameters.nx;
  let y = cell / parameters.nx;
  let columns = nodesAt(x);
  let rows = nodesAt(parameters.nx + y) * parameters.nodesX;
  let along = fractions[x];
  let up = fractions[parameters.nx + y];
  let places = vec4u(rows.x + columns.x, rows.y + columns.x, rows.x + columns.y, rows.y + columns.y);
  let shares = vec4f((1.0 - along) * (1.0 - up), (1.0 - along) * up, along * (1.0 - up), along * up);
  let plane = parameters.nodesX * parameters.nodesY;
  let first = id.z * MEMBERS;
  let count = min(MEMBERS, parameters.members - first);
  for (var v = 0u; v < parameters.variables; v += 4u) {
    let bases = min(vec4u(v) + vec4u(0u, 1u, 2u, 3u), vec4u(parameters.variables - 1u)) * cells + cell;
    let origin = memberAt(bases, 0u);
    var sums: array<vec4f, MEMBERS>;
    for (var m = 1u; m < parameters.members; m++) {
      let anomaly = memberAt(bases, m) - origin;
      for (var i = 0u; i < count; i++) {
        let at = places + ((first + i) * parameters.members + m) * plane;
        let four = vec4f(weights[at.x], weights[at.y], weights[at.z], weights[at.w]);
        sums[i] += dot(shares, four) * anomaly;
      }
    }
    for (var i = 0u; i < count; i++) {
      for (var c = 0u; c < min(4u, parameters.variables - v); c++) {
        analysis[(first + i) * parameters.variables * cells + bases[c]] = origin[c] + sums[i][c];
      }
    }
  }
}
