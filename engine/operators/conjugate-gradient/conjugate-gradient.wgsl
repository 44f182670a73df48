// Kernels of conjugate gradients, and what they share.

// == layout ==
// What conjugate gradients leave on the device; the same as reference.ts.
// history: four reals an iteration. progress: three indices.

const ALPHA = 0u;
const BETA = 1u;
const RESIDUAL = 2u;
const HALF_NORM = 3u;
const STRIDE = 4u;

const COMPLETED = 0u;
const STATUS = 1u;
const CURRENT = 2u;

const RUNNING = 0u;
const CONVERGED = 1u;
const STAGNATED = 2u;

// == record ==
// What an iteration of conjugate gradients leaves in `history` and `progress`, and whether there is another. The kernel declares
// both, and a uniform `parameters` with `maxIterations` and `toleranceSquared`; one invocation of the device calls `record`.

const EPSILON = 5.9604645e-8;

/// What to do after an iteration that took α from the norm `before` to `after`; the first one began with `first` and took `firstAlpha`.
fn statusOf(alpha: f32, before: f32, after: f32, firstAlpha: f32, first: f32) -> u32 {
  if (after <= parameters.toleranceSquared * first) {
    return CONVERGED;
  }
  let firstGain = firstAlpha * first;
  return select(RUNNING, STAGNATED, alpha * before <= EPSILON * EPSILON * firstGain);
}

fn statusAfter(alpha: f32, before: f32, after: f32) -> u32 {
  return statusOf(alpha, before, after, history[ALPHA], history[RESIDUAL]);
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

// == initialisation ==
// Conjugate gradients from v = 0: r = p = b; the first entries of history (but for the norm of r) and progress.
// Bindings: 0 parameters, 1 rightHandSide, 2 solution, 3 residual, 4 direction, all [length], 5 history, 6 progress.
// Workgroup: 256 elements.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> rightHandSide: array<f32>;
@group(0) @binding(2) var<storage, read_write> solution: array<f32>;
@group(0) @binding(3) var<storage, read_write> residual: array<f32>;
@group(0) @binding(4) var<storage, read_write> direction: array<f32>;
@group(0) @binding(5) var<storage, read_write> history: array<f32>;
@group(0) @binding(6) var<storage, read_write> progress: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let i = linearIndex(id, groups, 256u);
  if (i >= parameters.length) {
    return;
  }
  solution[i] = 0.0;
  residual[i] = rightHandSide[i];
  direction[i] = rightHandSide[i];
  if (i == 0u) {
    history[HALF_NORM] = 0.0;
    progress[COMPLETED] = 0u;
    progress[STATUS] = RUNNING;
    progress[CURRENT] = 0u;
  }
}

// == step ==
// The step of an iteration of conjugate gradients, A = shift·I + M, from the partial sums of pᵀAp:
//   α = rᵀr / pᵀAp;  v += αp;  r -= αAp;  and the partial sums of rᵀr and vᵀv (rows 1 and 2).
// α = 0, and nothing moves, if there is nothing left to do. Reads COMPLETED and STATUS, writes CURRENT: the next kernel does
// the opposite, so that no workgroup reads what another writes.
// Bindings: 0 parameters, 1 product (Mp), 2 direction (p), 3 solution (v), 4 residual (r), all [length],
// 5 partials [3][groups], 6 history, 7 progress.
// Workgroup: 256; `groups` of them stride over the elements.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> product: array<f32>;
@group(0) @binding(2) var<storage, read> direction: array<f32>;
@group(0) @binding(3) var<storage, read_write> solution: array<f32>;
@group(0) @binding(4) var<storage, read_write> residual: array<f32>;
@group(0) @binding(5) var<storage, read_write> partials: array<f32>;
@group(0) @binding(6) var<storage, read_write> history: array<f32>;
@group(0) @binding(7) var<storage, read_write> progress: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let curvature = totalOf(0u, lane);
  let completed = progress[COMPLETED];
  let running = progress[STATUS] == RUNNING && completed < parameters.maxIterations;
  let residualSquared = history[STRIDE * completed + RESIDUAL];
  var alpha = 0.0;
  if (running && curvature > 0.0 && residualSquared > 0.0) {
    alpha = residualSquared / curvature;
  }
  var after = 0.0;
  var solutionSquared = 0.0;
  if (alpha > 0.0) {
    for (var i = group.x * 256u + lane; i < parameters.length; i += parameters.groups * 256u) {
      let p = direction[i];
      let v = solution[i] + alpha * p;
      let r = residual[i] - alpha * (product[i] + parameters.shift * p);
      solution[i] = v;
      residual[i] = r;
      after += r * r;
      solutionSquared += v * v;
    }
  }
  let afterTotal = workgroupSum(after, lane);
  let solutionTotal = workgroupSum(solutionSquared, lane);
  if (lane == 0u) {
    partials[parameters.groups + group.x] = afterTotal;
    partials[2u * parameters.groups + group.x] = solutionTotal;
    if (group.x == 0u) {
      progress[CURRENT] = select(0u, completed + 1u, alpha > 0.0);
      if (alpha > 0.0) {
        history[STRIDE * completed + ALPHA] = alpha;
      }
    }
  }
}

// == direction ==
// The end of an iteration of conjugate gradients: β = r₊ᵀr₊ / rᵀr;  p = r + βp;  and, by the first workgroup, whether to continue:
// not when ‖r‖ <= tolerance ‖b‖, nor when the energy gained, αrᵀr, is below (2⁻²⁴)² of what the first iteration gained.
// Reads CURRENT; the first workgroup alone reads and writes COMPLETED and STATUS.
// Bindings: 0 parameters, 1 residual (r), 2 direction (p), both [length], 3 partials [3][groups], 4 history, 5 progress.
// Workgroup: 256; `groups` of them stride over the elements.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> residual: array<f32>;
@group(0) @binding(2) var<storage, read_write> direction: array<f32>;
@group(0) @binding(3) var<storage, read> partials: array<f32>;
@group(0) @binding(4) var<storage, read_write> history: array<f32>;
@group(0) @binding(5) var<storage, read_write> progress: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let after = totalOf(1u, lane);
  let current = progress[CURRENT];
  if (current > 0u) {
    let beta = after / history[STRIDE * (current - 1u) + RESIDUAL];
    for (var i = group.x * 256u + lane; i < parameters.length; i += parameters.groups * 256u) {
      direction[i] = residual[i] + beta * direction[i];
    }
  }
  if (group.x == 0u) {
    let solutionSquared = totalOf(2u, lane);
    if (lane == 0u) {
      record(current, after, solutionSquared);
    }
  }
}

// == iteration ==
// A whole iteration of conjugate gradients, A = shift·I + M, by one workgroup, where v is so short that starting kernels takes
// longer than what they do; formulas as in `step` and `direction`. It is a no-op if there is nothing left to do.
// Bindings: 0 parameters, 1 product (Mp), 2 direction (p), 3 solution (v), 4 residual (r), all [length], 5 history, 6 progress.
// Workgroup: one, of 256. An element belongs to one invocation throughout, so that nothing is read that another one writes.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> product: array<f32>;
@group(0) @binding(2) var<storage, read_write> direction: array<f32>;
@group(0) @binding(3) var<storage, read_write> solution: array<f32>;
@group(0) @binding(4) var<storage, read_write> residual: array<f32>;
@group(0) @binding(5) var<storage, read_write> history: array<f32>;
@group(0) @binding(6) var<storage, read_write> progress: array<u32>;

@compute @workgroup_size(256)
fn main(@builtin(local_invocation_index) lane: u32) {
  let completed = progress[COMPLETED];
  let running = progress[STATUS] == RUNNING && completed < parameters.maxIterations;
  let residualSquared = history[STRIDE * completed + RESIDUAL];
  // How much there is to do, so that all invocations reach the sums whatever it is.
  let length = select(0u, parameters.length, running);
  var curvature = 0.0;
  for (var i = lane; i < length; i += 256u) {
    let p = direction[i];
    curvature += p * (product[i] + parameters.shift * p);
  }
  let curvatureTotal = workgroupSum(curvature, lane);
  var alpha = 0.0;
  if (running && curvatureTotal > 0.0 && residualSquared > 0.0) {
    alpha = residualSquared / curvatureTotal;
  }
  let moving = select(0u, length, alpha > 0.0);
  var after = 0.0;
  var solutionSquared = 0.0;
  for (var i = lane; i < moving; i += 256u) {
    let p = direction[i];
    let v = solution[i] + alpha * p;
    let r = residual[i] - alpha * (product[i] + parameters.shift * p);
    solution[i] = v;
    residual[i] = r;
    after += r * r;
    solutionSquared += v * v;
  }
  let afterTotal = workgroupSum(after, lane);
  let solutionTotal = workgroupSum(solutionSquared, lane);
  let beta = afterTotal / residualSquared;
  for (var i = lane; i < moving; i += 256u) {
    direction[i] = residual[i] + beta * direction[i];
  }
  if (lane == 0u) {
    if (alpha > 0.0) {
      history[STRIDE * completed + ALPHA] = alpha;
    }
    record(select(0u, completed + 1u, alpha > 0.0), afterTotal, solutionTotal);
  }
}
