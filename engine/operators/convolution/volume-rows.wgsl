// Sums along rows, four neighbouring ones at a time, from a volume's input.

/// Groups of four weights along rows, after the four groups of those across them: one more than the taps need where points are
/// read in groups that begin at multiples of four.
override ALONG_GROUPS: u32 = 4u;

/// The sums at x … x + 3 of the row that begins at `row`; x may lie beyond its end.
fn alongRow(row: u32, x: u32) -> vec4f {
  let n = parameters.n3;
  var at = (x + n - parameters.reach) % n;
  var low = vec4f(0.0);
  var sums = vec4f(0.0);
  for (var m = 0u; m <= ALONG_GROUPS; m++) {
    var high = vec4f(0.0);
    if (m < ALONG_GROUPS) {
      high = weights[4u + m];
    }
    sums = slideAlong(sums, quadOf(row, at), high, low);
    low = high;
    at += 4u;
    at = select(at, at - n, at >= n);
  }
  return sums;
}
