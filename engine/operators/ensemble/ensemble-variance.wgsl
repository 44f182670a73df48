// variance_i = factor · Σ_l (x_l − x̄)²_i / (k − 1), 0 for k = 1. Needs moments.wgsl.
// Workgroup: 256 invocations along i, each the owner of its element. Boundary: guarded.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  variance[i] = parameters.factor * varianceAt(i, meanAt(i));
}
