// C = Y^T R^-1 w of every cell [letkf-gpu], naively: an invocation a cell, all members and neighbours one after the other.
// Bindings: 0 parameters, 1 anomalies [k][ny][nx], 2 weights [9], 3 C [ny][nx][k][9].
// Workgroup: 64 cells, folded into x and y. Neighbours beyond the edge count as 0.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> anomalies: array<f32>;
@group(0) @binding(2) var<storage, read> weights: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let cell = linearIndex(id, groups, 64u);
  if (cell >= parameters.nx * parameters.ny) {
    return;
  }
  for (var member = 0u; member < parameters.members; member++) {
    for (var o = 0u; o < NEIGHBOURS; o++) {
      c[(cell * parameters.members + member) * NEIGHBOURS + o] = weights[o] * neighbour(member, cell, o);
    }
  }
}
