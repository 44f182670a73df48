// Σ_q ω_q · point(i + q) for four neighbouring i at a time, from points and weights in groups of four. A sum is one chain of fused
// multiply-adds in the order of its taps, so that all kernels that are made of these give the same bits.
//
// Group m of the points has, of weights 4m … 4m + 3 (`high`) and 4m − 4 … 4m − 1 (`low`), for sum t the weight 4m + k − t at its
// point k. Point is a number, or four of lines side by side.

/// Four neighbouring points of a line, or four neighbouring sums.
struct Four {
  a: Point,
  b: Point,
  c: Point,
  d: Point,
}

/// The share of a group of points in sums across lines.
fn slideAcross(sums: Four, p: Four, high: vec4f, low: vec4f) -> Four {
  var s = sums;
  s.a = fma(p.d, Point(high.w), fma(p.c, Point(high.z), fma(p.b, Point(high.y), fma(p.a, Point(high.x), s.a))));
  s.b = fma(p.d, Point(high.z), fma(p.c, Point(high.y), fma(p.b, Point(high.x), fma(p.a, Point(low.w), s.b))));
  s.c = fma(p.d, Point(high.y), fma(p.c, Point(high.x), fma(p.b, Point(low.w), fma(p.a, Point(low.z), s.c))));
  s.d = fma(p.d, Point(high.x), fma(p.c, Point(low.w), fma(p.b, Point(low.z), fma(p.a, Point(low.y), s.d))));
  return s;
}

/// The same for the first group of sixteen taps, which has none before it.
fn beginAcross(p: Four, high: vec4f) -> Four {
  let zero = Point(0.0);
  return Four(
    fma(p.d, Point(high.w), fma(p.c, Point(high.z), fma(p.b, Point(high.y), fma(p.a, Point(high.x), zero)))),
    fma(p.d, Point(high.z), fma(p.c, Point(high.y), fma(p.b, Point(high.x), zero))),
    fma(p.d, Point(high.y), fma(p.c, Point(high.x), zero)),
    fma(p.d, Point(high.x), zero),
  );
}

/// The same for the group after the last taps: three points of it.
fn endAcross(sums: Four, p: Four, low: vec4f) -> Four {
  var s = sums;
  s.b = fma(p.a, Point(low.w), s.b);
  s.c = fma(p.b, Point(low.w), fma(p.a, Point(low.z), s.c));
  s.d = fma(p.c, Point(low.w), fma(p.b, Point(low.z), fma(p.a, Point(low.y), s.d)));
  return s;
}

/// The share of four neighbouring points of a line in four neighbouring sums along it.
fn slideAlong(sums: vec4f, p: vec4f, high: vec4f, low: vec4f) -> vec4f {
  var s = fma(vec4f(p.x), vec4f(high.x, low.wzy), sums);
  s = fma(vec4f(p.y), vec4f(high.yx, low.wz), s);
  s = fma(vec4f(p.z), vec4f(high.zyx, low.w), s);
  return fma(vec4f(p.w), high.wzyx, s);
}
