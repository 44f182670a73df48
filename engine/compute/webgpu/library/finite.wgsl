// What is a number, for kernels that report what is none.

/// By the bits: a compiler may assume that comparisons see no NaN.
fn isFinite(value: f32) -> bool {
  return (bitcast<u32>(value) & 0x7f800000u) != 0x7f800000u;
}
