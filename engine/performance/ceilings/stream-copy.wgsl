// target = source, four reals an invocation.
// Bindings: 0 source, 1 target. Workgroup: 256 invocations, folded into x and y.

@group(0) @binding(0) var<storage, read> source: array<vec4f>;
@group(0) @binding(1) var<storage, read_write> copied: array<vec4f>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i < arrayLength(&copied)) {
    copied[i] = source[i];
  }
}
