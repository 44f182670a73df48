// Of the l-th function along y of each difference, the sums by band of the squares of its coefficients
// c[l][k] = Σ_j basis[l][j] rows[j][k], times the difference's factor: [4][bands][sizeY]. Needs library/reduction.wgsl.
// Workgroup: 256 invocations, at most 128 of them for k; y is l, z the difference. Boundary: what is not there adds 0.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> basis: array<f32>;
/// [sizeY][sizeX]
@group(0) @binding(2) var<storage, read> band: array<u32>;
@group(0) @binding(3) var<storage, read> rows: array<f32>;
@group(0) @binding(4) var<storage, read_write> powers: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let l = group.y;
  var power = 0.0;
  var own = parameters.bands;
  if (lane < parameters.sizeX) {
    var coefficient = 0.0;
    for (var j = 0u; j < parameters.sizeY; j++) {
      let at = (group.z * parameters.sizeY + j) * parameters.sizeX + lane;
      coefficient += basis[l * parameters.sizeY + j] * rows[at];
    }
    power = coefficient * coefficient;
    own = band[l * parameters.sizeX + lane];
  }
  let factor = select(1.0, parameters.spreadFactor, group.z == 3u);
  for (var index = 0u; index < parameters.bands; index++) {
    let total = workgroupSum(select(0.0, power, own == index), lane);
    if (lane == 0u) {
      powers[(group.z * parameters.bands + index) * parameters.sizeY + l] = factor * total;
    }
  }
}
