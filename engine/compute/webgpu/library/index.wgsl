// Index helpers shared by the kernels.

/// The one-dimensional index of an invocation whose workgroups were folded into x and y (see workgroupsFor).
fn linearIndex(id: vec3u, groups: vec3u, workgroupSize: u32) -> u32 {
  return id.x + id.y * groups.x * workgroupSize;
}
