// Standard normal numbers from counted streams: Philox 4×32-10 [salmon2011], then Box and Muller. Logarithm, sine and cosine are
// polynomials: those of a GPU may be off by 2⁻¹¹.
// Workgroup: 64 numbers.

const SEGMENT_WORDS = 6u;
const MULTIPLIER_0 = 0xd2511f53u;
const MULTIPLIER_1 = 0xcd9e8d57u;
const WEYL = vec2u(0x9e3779b9u, 0xbb67ae85u);
const HALF_PI = 1.5707963267948966;

/// The high 32 bits of the product, in which no sum reaches 2³².
fn multiplyHigh(a: u32, b: u32) -> u32 {
  let aLow = a & 0xffffu;
  let aHigh = a >> 16u;
  let bLow = b & 0xffffu;
  let bHigh = b >> 16u;
  let middle = aHigh * bLow + ((aLow * bLow) >> 16u);
  let other = aLow * bHigh + (middle & 0xffffu);
  return aHigh * bHigh + (middle >> 16u) + (other >> 16u);
}

fn philox(counter: vec4u, seed: vec2u) -> vec4u {
  var c = counter;
  var key = seed;
  for (var i = 0u; i < 10u; i++) {
    c = vec4u(
      multiplyHigh(MULTIPLIER_1, c.z) ^ c.y ^ key.x,
      MULTIPLIER_1 * c.z,
      multiplyHigh(MULTIPLIER_0, c.x) ^ c.w ^ key.y,
      MULTIPLIER_0 * c.x,
    );
    key += WEYL;
  }
  return c;
}

/// ln of 1 − u, for u = (high 2²⁶ + low)/2⁵³, high < 2²⁷. Below a half by u itself, else by 1 − u, which is exact in integers.
fn logarithmOfComplement(high: u32, low: u32) -> f32 {
  if (high < (1u << 26u)) {
    let u = (f32(high) * 67108864.0 + f32(low)) * 0x1p-53;
    return logarithm(-u / (2.0 - u));
  }
  let borrow = select(0u, 1u, low > 0u);
  let rest = (1u << 27u) - high - borrow;
  let below = select(0u, (1u << 26u) - low, low > 0u);
  let complement = f32(rest) * 67108864.0 + f32(below);
  let parts = frexp(complement);
  // 1 − u = 2ᵉ f, with f in [½, 1).
  let f = parts.fract;
  let nearer = select(f, 2.0 * f, f < 0.70710678);
  let exponent = parts.exp - 53 - select(0, 1, f < 0.70710678);
  return logarithm((nearer - 1.0) / (nearer + 1.0)) + f32(exponent) * 0.6931471805599453;
}

/// ln x = 2 artanh s, s = (x − 1)/(x + 1), for x between ½ and √2.
fn logarithm(s: f32) -> f32 {
  let q = s * s;
  var series = 1.0 / 15.0;
  series = series * q + 1.0 / 13.0;
  series = series * q + 1.0 / 11.0;
  series = series * q + 1.0 / 9.0;
  series = series * q + 1.0 / 7.0;
  series = series * q + 1.0 / 5.0;
  series = series * q + 1.0 / 3.0;
  return 2.0 * s + 2.0 * s * q * series;
}

/// cos and sin of 2π u, u = high/2²⁷ to what float32 holds of its distance to the nearest quarter of a turn.
fn turn(high: u32, low: u32) -> vec2f {
  let quarter = ((high + (1u << 24u)) >> 25u) & 3u;
  let distance = f32(i32(high) - i32(((high + (1u << 24u)) >> 25u) << 25u));
  let angle = (distance + f32(low) * 0x1p-26) * 0x1p-25 * HALF_PI;
  let q = angle * angle;
  let sine = angle + angle * q * (-1.0 / 6.0 + q * (1.0 / 120.0 + q * (-1.0 / 5040.0 + q * (1.0 / 362880.0))));
  let cosine = 1.0 + q * (-0.5 + q * (1.0 / 24.0 + q * (-1.0 / 720.0 + q * (1.0 / 40320.0 - q * (1.0 / 3628800.0)))));
  switch (quarter) {
    case 0u: { return vec2f(cosine, sine); }
    case 1u: { return vec2f(-sine, cosine); }
    case 2u: { return vec2f(-cosine, -sine); }
    default: { return vec2f(sine, -cosine); }
  }
}

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let position = linearIndex(id, groups, 64u);
  if (position >= parameters.length) {
    return;
  }
  // The last segment that begins at the position or before it: firsts ascend, and those that are not used come last.
  var segment = 0u;
  var beyond = parameters.segments;
  while (beyond - segment > 1u) {
    let middle = (segment + beyond) / 2u;
    if (streams[middle * SEGMENT_WORDS + 4u] <= position) {
      segment = middle;
    } else {
      beyond = middle;
    }
  }
  let at = segment * SEGMENT_WORDS;
  let number = position - streams[at + 4u] + streams[at + 5u];
  let words = philox(
    vec4u(number >> 1u, 0u, streams[at + 2u], streams[at + 3u]),
    vec2u(streams[at], streams[at + 1u]),
  );
  let radius = sqrt(-2.0 * logarithmOfComplement(words.x >> 5u, words.y >> 6u));
  let direction = turn(words.z >> 5u, words.w >> 6u);
  output[position] = radius * select(direction.y, direction.x, (number & 1u) == 0u);
}
