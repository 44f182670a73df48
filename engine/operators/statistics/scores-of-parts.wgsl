// The scores of each variable from the partial sums of ensemble-scores.wgsl. Means and squares about the mean of the parts are
// joined as those of samples are [chan1983]: Σ w (e − ē)² = Σ_p [Σ w (e − m_p)² + W_p (m_p − ē)²], W_p the weight of a part.
// Needs library/reduction.wgsl. Workgroup: 256 invocations along the parts of the variable that is its number.

// The struct Parameters is made of its description in webgpu-scores.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
/// [quantities][variables][parts]
@group(0) @binding(1) var<storage, read> parts: array<f32>;
/// [variables] each
@group(0) @binding(2) var<storage, read_write> meanSquareError: array<f32>;
@group(0) @binding(3) var<storage, read_write> meanVariance: array<f32>;
@group(0) @binding(4) var<storage, read_write> meanError: array<f32>;
@group(0) @binding(5) var<storage, read_write> patternSquareError: array<f32>;

fn kept(quantity: u32, row: u32, part: u32) -> f32 {
  return parts[(quantity * parameters.variables + row) * parameters.parts + part];
}

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let row = group.x;
  var squares = 0.0;
  var variances = 0.0;
  var weights = 0.0;
  // Means are joined as departures from that of the first part, which keeps the digits of what distinguishes them.
  let first = kept(3u, row, 0u);
  var departures = 0.0;
  for (var part = lane; part < parameters.parts; part += 256u) {
    squares += kept(0u, row, part);
    variances += kept(1u, row, part);
    let shares = kept(2u, row, part);
    weights += shares;
    departures += shares * (kept(3u, row, part) - first);
  }
  let count = f32(parameters.cells);
  let totalSquares = workgroupSum(squares, lane);
  let totalVariances = workgroupSum(variances, lane);
  let totalWeight = workgroupSum(weights, lane);
  let totalDepartures = workgroupSum(departures, lane);
  let departure = select(0.0, totalDepartures / totalWeight, totalWeight > 0.0);
  var pattern = 0.0;
  for (var part = lane; part < parameters.parts; part += 256u) {
    let apart = kept(3u, row, part) - first - departure;
    pattern += kept(4u, row, part) + kept(2u, row, part) * apart * apart;
  }
  let totalPattern = workgroupSum(pattern, lane);
  if (lane == 0u) {
    meanSquareError[row] = totalSquares / count;
    meanVariance[row] = totalVariances / count;
    meanError[row] = select(0.0, first + departure, totalWeight > 0.0);
    patternSquareError[row] = totalPattern / count;
  }
}
