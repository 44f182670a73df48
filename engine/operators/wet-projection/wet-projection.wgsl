// Increments of 0 where the background has no more water than the dry depth, and in proportion to the depth where it is thin
// (index.ts). What is deeper is not written.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let cell = linearIndex(id, groups, 256u);
  if (cell >= parameters.cells) {
    return;
  }
  let depth = background[cell] - bed[cell];
  let wet = depth > parameters.dryDepth;
  if (wet && depth >= parameters.thinDepth) {
    return;
  }
  for (var variable = 0u; variable < parameters.variables; variable++) {
    let i = variable * parameters.cells + cell;
    if (wet) {
      increment[i] *= depth / parameters.thinDepth;
    } else {
      increment[i] = 0.0;
    }
  }
}
