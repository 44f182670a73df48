// Four sums at once within a workgroup of 256 invocations, pairwise, so that float32 sums keep their digits.

var<workgroup> partialVectors: array<vec4f, 256>;

/// The sums of the components over the workgroup, returned to every invocation. Must be reached by all of them.
fn workgroupSums(values: vec4f, lane: u32) -> vec4f {
  partialVectors[lane] = values;
  workgroupBarrier();
  for (var stride = 128u; stride > 0u; stride >>= 1u) {
    if (lane < stride) {
      partialVectors[lane] += partialVectors[lane + stride];
    }
    workgroupBarrier();
  }
  let total = partialVectors[0];
  workgroupBarrier();
  return total;
}
