// Of the l-th function along y, the sums by band of the squares of its coefficients c[l][k] = Σ_j basis[l][j] rows[j][k] of each
// difference, and of x̄ᵃ − t = (x̄ᶠ − t) + (x̄ᵃ − x̄ᶠ) between them: [4][bands][sizeY]. Where the analysis is the forecast, the increment
// is thus exactly 0 and both errors are the same.
// Workgroup: 256 invocations, two halves of the sum for at most 128 of k; y is l. Boundary: what is not there adds 0.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> basis: array<f32>;
/// [sizeY][sizeX]
@group(0) @binding(2) var<storage, read> band: array<u32>;
@group(0) @binding(3) var<storage, read> rows: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> powers: array<f32>;

/// Invocations that share the coefficients of a band among them.
const CHUNKS = 16u;

var<workgroup> coefficients: array<vec4f, 128>;
var<workgroup> bandOf: array<u32, 128>;
/// [bands][CHUNKS]: 128 functions have seven octaves.
var<workgroup> chunks: array<vec4f, 128>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let l = group.y;
  let n = parameters.sizeX;
  let k = lane % 128u;
  let middle = (parameters.sizeY + 1u) / 2u;
  let isSecond = lane >= 128u;
  var sum = vec4f();
  if (k < n) {
    for (var j = select(0u, middle, isSecond); j < select(middle, parameters.sizeY, isSecond); j++) {
      sum += basis[l * parameters.sizeY + j] * rows[j * n + k];
    }
  }
  if (isSecond) {
    coefficients[k] = sum;
  }
  workgroupBarrier();
  if (lane < n) {
    let found = sum + coefficients[lane];
    let all = vec4f(found.x, found.x + found.y, found.y, found.z);
    coefficients[lane] = all * all;
    bandOf[lane] = band[l * n + lane];
  }
  workgroupBarrier();
  if (lane < parameters.bands * CHUNKS) {
    var power = vec4f();
    for (var index = lane % CHUNKS; index < n; index += CHUNKS) {
      power += select(vec4f(), coefficients[index], bandOf[index] == lane / CHUNKS);
    }
    chunks[lane] = power;
  }
  workgroupBarrier();
  if (lane < parameters.bands) {
    var total = vec4f();
    for (var chunk = 0u; chunk < CHUNKS; chunk++) {
      total += chunks[lane * CHUNKS + chunk];
    }
    total.w *= parameters.spreadFactor;
    for (var spectrum = 0u; spectrum < 4u; spectrum++) {
      powers[(spectrum * parameters.bands + lane) * parameters.sizeY + l] = total[spectrum];
    }
  }
}
