// P_HT with C2 = C o (e e^T)/(L - 1) in memory [gain-gpu], step by step.

// == copy ==
// e^T [L][n]. Bindings: 0 parameters, 1 anomalies [n][L], 2 copy [L][n]. Workgroup: 256 elements, folded into x and y.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> anomalies: array<f32>;
@group(0) @binding(2) var<storage, read_write> copy: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let at = linearIndex(id, groups, 256u);
  if (at < parameters.cells * parameters.members) {
    copy[at] = anomalies[(at % parameters.cells) * parameters.members + at / parameters.cells];
  }
}

// == covariance ==
// C2 [n][n]. Bindings: 0 parameters, 1 anomalies [n][L], 2 the same or its copy [L][n], 3 taper [n], 4 C2.
// Workgroup: 256 elements, folded into x and y.

override BY_COPY: bool;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> anomalies: array<f32>;
@group(0) @binding(2) var<storage, read> others: array<f32>;
@group(0) @binding(3) var<storage, read> taperRow: array<f32>;
@group(0) @binding(4) var<storage, read_write> covariance: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let at = linearIndex(id, groups, 256u);
  let n = parameters.cells;
  if (at >= n * n) {
    return;
  }
  let i = at / n;
  let j = at % n;
  let members = parameters.members;
  var product = 0.0;
  for (var l = 0u; l < members; l++) {
    product += anomalies[i * members + l] * others[select(j * members + l, l * n + j, BY_COPY)];
  }
  let nx = i32(parameters.nx);
  let lagX = u32(abs(i32(i) % nx - i32(j) % nx));
  let lagY = u32(abs(i32(i) / nx - i32(j) / nx));
  covariance[at] = taperRow[lagY * parameters.nx + lagX] * product / f32(members - 1u);
}

// == product ==
// P_HT transposed [m][n], the rows of H from `first` on along y. Bindings: 0 parameters, 1 C2 [n][n], 2 to 4 H in compressed rows,
// 5 output. Workgroup: 64 cells along x. BY_ROWS: neighbouring cells read neighbours in a row of C2, which is symmetric.

override BY_ROWS: bool;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> covariance: array<f32>;
@group(0) @binding(2) var<storage, read> indptr: array<u32>;
@group(0) @binding(3) var<storage, read> indices: array<u32>;
@group(0) @binding(4) var<storage, read> data: array<f32>;
@group(0) @binding(5) var<storage, read_write> output: array<f32>;

@compute @workgroup_size(64)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let n = parameters.cells;
  let i = id.x;
  let j = parameters.first + id.y;
  if (i >= n) {
    return;
  }
  var sum = 0.0;
  for (var entry = indptr[j]; entry < indptr[j + 1u]; entry++) {
    let column = indices[entry];
    sum += data[entry] * covariance[select(i * n + column, column * n + i, BY_ROWS)];
  }
  output[j * n + i] = sum;
}
