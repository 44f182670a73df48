// y = s ∘ x: element i of the batch is multiplied by scale[i mod length].
// Workgroup: 256 invocations, one an element, folded into x and y. Invocations past the end do nothing.

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length * parameters.batch) {
    return;
  }
  output[i] = scale[i % parameters.length] * input[i];
}
