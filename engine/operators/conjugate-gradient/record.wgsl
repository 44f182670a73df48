// What an iteration of conjugate gradients leaves in `history` and `progress`, and whether there is another. The kernel declares
// both, and a uniform `parameters` with `maxIterations` and `toleranceSquared`; one invocation of the device calls `record`.

const EPSILON = 5.9604645e-8;

/// What to do after an iteration that took α from the norm `before` to `after`.
fn statusAfter(alpha: f32, before: f32, after: f32) -> u32 {
  if (after <= parameters.toleranceSquared * history[RESIDUAL]) {
    return CONVERGED;
  }
  let firstGain = history[ALPHA] * history[RESIDUAL];
  return select(RUNNING, STAGNATED, alpha * before <= EPSILON * EPSILON * firstGain);
}

/// The record of iteration `current`, or of there being none.
fn record(current: u32, after: f32, solutionSquared: f32) {
  if (current > 0u) {
    let now = STRIDE * (current - 1u);
    let before = history[now + RESIDUAL];
    history[now + BETA] = after / before;
    history[now + STRIDE + RESIDUAL] = after;
    history[now + STRIDE + HALF_NORM] = 0.5 * solutionSquared;
    progress[COMPLETED] = current;
    progress[STATUS] = statusAfter(history[now + ALPHA], before, after);
  } else if (progress[STATUS] == RUNNING && progress[COMPLETED] < parameters.maxIterations) {
    let before = history[STRIDE * progress[COMPLETED] + RESIDUAL];
    progress[STATUS] = select(STAGNATED, CONVERGED, before == 0.0);
  }
}
