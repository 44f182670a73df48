// x <- 0.999 x + 0.001, STEPS times, four values an invocation that do not wait for each other.
// Bindings: 0 values. Workgroup: 256 invocations, folded into x and y.

override STEPS: u32;

@group(0) @binding(0) var<storage, read_write> values: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= arrayLength(&values)) {
    return;
  }
  var x = values[i];
  for (var s = 0u; s < STEPS; s++) {
    x = fma(vec4f(0.999), x, vec4f(0.001));
  }
  values[i] = x;
}
