// Sums within a workgroup of 256 invocations, pairwise, so that float32 sums keep their digits.

var<workgroup> partialSums: array<f32, 256>;

/// The sum of `value` over the workgroup, returned to every invocation. Must be reached by all of them.
fn workgroupSum(value: f32, lane: u32) -> f32 {
  partialSums[lane] = value;
  workgroupBarrier();
  for (var stride = 128u; stride > 0u; stride >>= 1u) {
    if (lane < stride) {
      partialSums[lane] += partialSums[lane + stride];
    }
    workgroupBarrier();
  }
  let total = partialSums[0];
  workgroupBarrier();
  return total;
}
