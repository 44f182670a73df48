// Sums that keep their digits: float32 numbers added up in float64, four at a time.

/** The four added to two float64 sums. */
// @ts-ignore: decorator
@inline
export function accumulate(sums: v128, four: v128): v128 {
  const high = i8x16.shuffle(four, four, 8, 9, 10, 11, 12, 13, 14, 15, 0, 1, 2, 3, 4, 5, 6, 7);
  return f64x2.add(sums, f64x2.add(f64x2.promote_low_f32x4(four), f64x2.promote_low_f32x4(high)));
}

// @ts-ignore: decorator
@inline
export function total(sums: v128): f64 {
  return f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
}
