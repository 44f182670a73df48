// What kernels share that weigh by distance.

// == gaspari-cohn ==
// The fifth-order compactly supported correlation function of Gaspari and Cohn (1999), eq. 4.10, as localisation weight.

/// The weight at z = distance / half-width >= 0: 1 at 0, 5/24 at 1, exactly 0 from 2 on. The outer branch has its fourfold
/// root at 2 taken out, so that small weights keep their digits and none is negative.
fn gaspariCohn(z: f32) -> f32 {
  let inner = 1.0 - z * z * (5.0 / 3.0 - z * (0.625 + z * (0.5 - 0.25 * z)));
  let outside = max(z, 1.0);
  let toEdge = max(2.0 - outside, 0.0) * max(2.0 - outside, 0.0);
  let outer = toEdge * toEdge * (outside * (outside + 2.0) - 0.5) / (12.0 * outside);
  return select(outer, inner, z <= 1.0);
}

// == shortest ==
// Distances on axes that may be periodic.

/// A difference of coordinates along an axis, the shorter way round where it is periodic.
fn shortest(difference: f32, size: u32, periodic: u32) -> f32 {
  let period = f32(size);
  return select(difference, difference - period * round(difference / period), periodic != 0u);
}

// == bins ==
// The bins of index.ts, as kernels look them up.

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

// == taper ==
// The taper between two places, for kernels that declare `parameters` with nx, ny, periodicX, periodicY, aspect, halfWidthCells.
// Needs `gaspari-cohn` and `shortest`.

fn taperOf(difference: vec2f) -> f32 {
  let x = shortest(difference.x, parameters.nx, parameters.periodicX);
  let y = parameters.aspect * shortest(difference.y, parameters.ny, parameters.periodicY);
  return gaspariCohn(length(vec2f(x, y)) / parameters.halfWidthCells);
}
