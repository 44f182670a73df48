// Kernels of the band spectra.

// == band-differences ==
// Means over blocks of cells of x̄ᶠ − t, x̄ᵃ − x̄ᶠ and of a member about x̄ᶠ, beside each other: [sizeY][sizeX]. Needs
// library/index.wgsl. Workgroup: 64 invocations along the averages, folded into x and y. Boundary: guarded.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> truth: array<f32>;
@group(0) @binding(2) var<storage, read> forecast: array<f32>;
@group(0) @binding(3) var<storage, read> analysis: array<f32>;
@group(0) @binding(4) var<storage, read> member: array<f32>;
@group(0) @binding(5) var<storage, read_write> means: array<vec4f>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups, 64u);
  if (index >= parameters.sizeX * parameters.sizeY) {
    return;
  }
  let x = (index % parameters.sizeX) * parameters.blockX;
  let y = (index / parameters.sizeX) * parameters.blockY;
  var sums = vec3f();
  for (var j = 0u; j < parameters.blockY; j++) {
    for (var i = 0u; i < parameters.blockX; i++) {
      let cell = (y + j) * parameters.nx + x + i;
      let mean = forecast[cell];
      sums += vec3f(mean - truth[cell], analysis[cell] - mean, member[cell] - mean);
    }
  }
  means[index] = vec4f(sums / f32(parameters.blockX * parameters.blockY), 0.0);
}

// == band-rows ==
// Coefficients along x of each row of averages, of all differences: rows[j][k] = Σ_i basis[i][k] means[j][i].
// Workgroup: 256 invocations for a row, two halves of the sum for at most 128 of k; y is the row. Boundary: what is not there adds 0.

@group(0) @binding(0) var<uniform> parameters: Parameters;
/// [sizeX][sizeX], what all functions are at a place side by side.
@group(0) @binding(1) var<storage, read> basis: array<f32>;
@group(0) @binding(2) var<storage, read> means: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> rows: array<vec4f>;

var<workgroup> row: array<vec4f, 128>;
var<workgroup> halves: array<vec4f, 128>;

@compute @workgroup_size(256)
fn main(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_index) lane: u32) {
  let n = parameters.sizeX;
  if (lane < n) {
    row[lane] = means[group.y * n + lane];
  }
  workgroupBarrier();
  let k = lane % 128u;
  let middle = (n + 1u) / 2u;
  let isSecond = lane >= 128u;
  var sum = vec4f();
  if (k < n) {
    let end = select(middle, n, isSecond);
    var i = select(0u, middle, isSecond);
    // Eight are asked for at once: memory answers later than a few of them are added.
    for (; i + 8u <= end; i += 8u) {
      var some: array<f32, 8>;
      for (var next = 0u; next < 8u; next++) {
        some[next] = basis[(i + next) * n + k];
      }
      for (var next = 0u; next < 8u; next++) {
        sum += some[next] * row[i + next];
      }
    }
    for (; i < end; i++) {
      sum += basis[i * n + k] * row[i];
    }
  }
  if (isSecond) {
    halves[k] = sum;
  }
  workgroupBarrier();
  if (lane < n) {
    rows[group.y * n + lane] = sum + halves[lane];
  }
}

// == band-powers ==
// Of the l-th function along y, the sums by band of the squares of its coefficients c[l][k] = Σ_j basis[l][j] rows[j][k] of each
// difference, and of x̄ᵃ − t = (x̄ᶠ − t) + (x̄ᵃ − x̄ᶠ) between them: [4][bands][sizeY]. Where the analysis is the forecast, the increment
// is thus exactly 0 and both errors are the same.
// Workgroup: 256 invocations, two halves of the sum for at most 128 of k; y is l. Boundary: what is not there adds 0.

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
    let end = select(middle, parameters.sizeY, isSecond);
    var j = select(0u, middle, isSecond);
    for (; j + 8u <= end; j += 8u) {
      var some: array<vec4f, 8>;
      for (var next = 0u; next < 8u; next++) {
        some[next] = basis[l * parameters.sizeY + j + next] * rows[(j + next) * n + k];
      }
      for (var next = 0u; next < 8u; next++) {
        sum += some[next];
      }
    }
    for (; j < end; j++) {
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
