// From depth and momentum to velocity, harmless on dry ground [kurganov2007]: below the depth ε, with t = h/ε,
// ρ(h) = √2 t / (ε √(1 + t⁴)) replaces 1/h, and is 0 where h ≤ 0.

override velocityX: u32;
override velocityY: u32;
/// ε, metres.
override dryDepth: f32;

fn reciprocalDepth(h: f32) -> f32 {
  if (h >= dryDepth) {
    return 1.0 / h;
  }
  let t = max(h, 0.0) / dryDepth;
  return 1.41421356 * t / (dryDepth * sqrt(1.0 + t * t * t * t));
}

/// The derivative of reciprocalDepth; 0 where h ≤ 0.
fn reciprocalDepthSlope(h: f32) -> f32 {
  if (h >= dryDepth) {
    return -1.0 / (h * h);
  }
  if (h <= 0.0) {
    return 0.0;
  }
  let t = h / dryDepth;
  let t4 = t * t * t * t;
  return 1.41421356 * (1.0 - t4) / (dryDepth * dryDepth * (1.0 + t4) * sqrt(1.0 + t4));
}

/// What of the momentum is observed: a component, or its size.
fn observedMomentum(kind: u32, flow: vec2f) -> f32 {
  if (kind == velocityX) {
    return flow.x;
  }
  if (kind == velocityY) {
    return flow.y;
  }
  return length(flow);
}
