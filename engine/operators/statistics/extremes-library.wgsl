// Floating-point numbers as unsigned keys in the same order, and extremes of them over a workgroup of 256 invocations.
// A kernel may be compiled as if there were no NaN, so it is detected, kept and handed on in integers: as key 0 in minima and
// as the largest key in maxima, whose bits are those of a NaN again.

const LARGEST_KEY = 0xffffffffu;
const SIGN = 0x80000000u;

/// Smallest and largest key so far.
struct Extremes {
  minimum: u32,
  maximum: u32,
}

const NONE = Extremes(LARGEST_KEY, 0u);

fn extremesOf(bits: u32) -> Extremes {
  if ((bits & ~SIGN) > 0x7f800000u) {
    return Extremes(0u, LARGEST_KEY);
  }
  let key = select(bits ^ SIGN, ~bits, bits >= SIGN);
  return Extremes(key, key);
}

fn bitsOf(key: u32) -> u32 {
  return select(~key, key ^ SIGN, key >= SIGN);
}

fn merged(a: Extremes, b: Extremes) -> Extremes {
  return Extremes(min(a.minimum, b.minimum), max(a.maximum, b.maximum));
}

var<workgroup> laneExtremes: array<Extremes, 256>;

/// The extremes of all invocations, valid in the first. Must be reached by all of them.
fn workgroupExtremes(own: Extremes, lane: u32) -> Extremes {
  laneExtremes[lane] = own;
  workgroupBarrier();
  for (var stride = 128u; stride > 0u; stride >>= 1u) {
    if (lane < stride) {
      laneExtremes[lane] = merged(laneExtremes[lane], laneExtremes[lane + stride]);
    }
    workgroupBarrier();
  }
  return laneExtremes[0];
}
