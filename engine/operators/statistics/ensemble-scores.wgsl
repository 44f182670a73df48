// Partial sums over 256 cells of each variable, w the weight of the cell and e = x̄ − t its error: w e², w Σ_l (x_l − x̄)²/(k − 1),
// w, and about the part's own mean error m = Σ w e / Σ w: m, and w (e − m)², so that a level far above the pattern takes none
// of the pattern's digits. Needs library/reduction.wgsl.
// Differences from the truth come first, so that float32 keeps the digits of small errors.
// Workgroup: 256 invocations along the cells; parts are folded into x and y, variables are along z.
// Boundary: cells that are not there add 0; parts that are not there are not stored.

// The struct Parameters is made of its description in webgpu-scores.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> truth: array<f32>;
/// [cells]
@group(0) @binding(3) var<storage, read> weight: array<f32>;
/// [quantities][variables][parts], the quantities in the order above.
@group(0) @binding(4) var<storage, read_write> parts: array<f32>;

fn keep(quantity: u32, row: u32, part: u32, value: f32) {
  parts[(quantity * parameters.variables + row) * parameters.parts + part] = value;
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let part = group.x + group.y * groups.x;
  let cell = part * 256u + lane;
  var error = 0.0;
  var variance = 0.0;
  var share = 0.0;
  if (cell < parameters.cells) {
    let state = parameters.variables * parameters.cells;
    let i = group.z * parameters.cells + cell;
    let t = truth[i];
    share = weight[cell];
    for (var l = 0u; l < parameters.members; l++) {
      error += ensemble[l * state + i] - t;
    }
    error /= f32(parameters.members);
    for (var l = 0u; l < parameters.members; l++) {
      let anomaly = ensemble[l * state + i] - t - error;
      variance += anomaly * anomaly;
    }
    variance /= f32(max(parameters.members, 2u) - 1u);
  }
  let squareError = workgroupSum(share * error * error, lane);
  let totalVariance = workgroupSum(share * variance, lane);
  let shares = workgroupSum(share, lane);
  let sum = workgroupSum(share * error, lane);
  let meanError = select(0.0, sum / shares, shares > 0.0);
  let departure = error - meanError;
  let pattern = workgroupSum(share * departure * departure, lane);
  if (lane == 0u && part < parameters.parts) {
    keep(0u, group.z, part, squareError);
    keep(1u, group.z, part, totalVariance);
    keep(2u, group.z, part, shares);
    keep(3u, group.z, part, meanError);
    keep(4u, group.z, part, pattern);
  }
}
