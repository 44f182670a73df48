// The bins of local-observations.ts, as kernels look them up.

/// The bins within reach of a coordinate along one axis: first and count, wrapping where the axis is periodic.
fn binsWithinReach(coordinate: f32, reach: f32, cells: u32, bins: u32, periodic: bool) -> vec2u {
  let perUnit = f32(bins) / f32(cells);
  let low = i32(floor((coordinate - reach) * perUnit));
  let high = i32(floor((coordinate + reach) * perUnit));
  let last = i32(bins) - 1;
  let first = clamp(low, 0, last);
  let bounded = vec2u(u32(first), u32(clamp(high, 0, last) - first + 1));
  let wrapped = vec2u(u32((low % i32(bins) + i32(bins)) % i32(bins)), u32(high - low + 1));
  let whole = vec2u(0u, bins);
  return select(bounded, select(wrapped, whole, high - low + 1 >= i32(bins)), periodic);
}

