// A whole iteration of conjugate gradients, A = shift·I + M, by one workgroup, where v is so short that starting kernels takes
// longer than what they do; formulas as in step.wgsl and direction.wgsl. It is a no-op if there is nothing left to do.
// Bindings: 0 parameters, 1 product (Mp), 2 direction (p), 3 solution (v), 4 residual (r), all [length], 5 history, 6 progress.
// Workgroup: one, of 256. An element belongs to one invocation throughout, so that nothing is read that another one writes.

// The struct Parameters is made of its description in webgpu.ts.
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
