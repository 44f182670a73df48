// Four float32 at a time. FUSED is 1 in the variant with relaxed SIMD.

// @ts-ignore: decorator
@inline
export function splat(value: f32): v128 {
  return f32x4.splat(value);
}

/** The four added to two float64 sums, which keep their digits. */
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

/** a b + c, rounded once where multiply-adds are fused, else twice. */
// @ts-ignore: decorator
@inline
export function multiplyAdd(a: v128, b: v128, c: v128): v128 {
  return FUSED ? f32x4.relaxed_madd(a, b, c) : f32x4.add(f32x4.mul(a, b), c);
}

/** c − a b */
// @ts-ignore: decorator
@inline
export function negatedMultiplyAdd(a: v128, b: v128, c: v128): v128 {
  return FUSED ? f32x4.relaxed_nmadd(a, b, c) : f32x4.sub(c, f32x4.mul(a, b));
}

/** What is no smaller than `least`, or no number; 0 in place of the rest. */
// @ts-ignore: decorator
@inline
export function unlessBelow(least: v128, v: v128): v128 {
  return v128.andnot(v, f32x4.lt(f32x4.abs(v), least));
}

/** The sum of the four, in pairs. */
// @ts-ignore: decorator
@inline
export function sumOf(v: v128): f32 {
  return (
    f32x4.extract_lane(v, 0) + f32x4.extract_lane(v, 1) + (f32x4.extract_lane(v, 2) + f32x4.extract_lane(v, 3))
  );
}

/** Stores the first `count` of four. */
// @ts-ignore: decorator
@inline
export function storeFirst(at: usize, v: v128, count: i32): void {
  if (count >= 4) {
    v128.store(at, v);
    return;
  }
  f32.store(at, f32x4.extract_lane(v, 0));
  if (count > 1) f32.store(at, f32x4.extract_lane(v, 1), 4);
  if (count > 2) f32.store(at, f32x4.extract_lane(v, 2), 8);
}

/** The first `count` of four, and `rest` in place of the others. */
// @ts-ignore: decorator
@inline
export function loadFirst(at: usize, count: i32, rest: f32): v128 {
  if (count >= 4) return v128.load(at);
  let v = f32x4.splat(rest);
  if (count > 0) v = f32x4.replace_lane(v, 0, f32.load(at));
  if (count > 1) v = f32x4.replace_lane(v, 1, f32.load(at, 4));
  if (count > 2) v = f32x4.replace_lane(v, 2, f32.load(at, 8));
  return v;
}
