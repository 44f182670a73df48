// The step of an iteration of conjugate gradients, A = shift·I + M, from the partial sums of pᵀAp:
//   α = rᵀr / pᵀAp;  v += αp;  r -= αAp;  and the partial sums of rᵀr and vᵀv (rows 1 and 2).
// α = 0, and nothing moves, if there is nothing left to do. Reads COMPLETED and STATUS, writes CURRENT: the next kernel does
// the opposite, so that no workgroup reads what another writes.
// Bindings: 0 parameters, 1 product (Mp), 2 direction (p), 3 solution (v), 4 residual (r), all [length],
// 5 partials [3][groups], 6 history, 7 progress.
// Workgroup: 256; `groups` of them stride over the elements.

// The struct Parameters is made of its description in webgpu.ts.
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
