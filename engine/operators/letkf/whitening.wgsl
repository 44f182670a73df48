// Correlated errors: what is known of the observations around a grid point, multiplied by L^-1 sqrt(w) D^-1, for the grid points of a
// batch (local-errors.ts has the formula). By columns, as L D L^T of the correlations with the rows of Y and the innovations below
// them: behind the last column these hold D^1/2 S^T.
//
// Bindings: 0 parameters, of the batch; 1 anomalies, 2 slots and 3 first slot of each bin, as the analysis kernels have them;
// 4 first entry of each row of C [p + 1], 5 its entries; 6 L D of each point, [point][column][row]; 7 and 8 anomalies and slots of
// the points' own, [point][localCapacity], which `whitened-rows` reads.
// Workgroup: 64 lanes over the rows of a column, a workgroup a point. Slots beyond a point's last become absent.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> anomalies: array<vec4f>;
@group(0) @binding(2) var<storage, read> slots: array<vec4f>;
@group(0) @binding(3) var<storage, read> binStart: array<u32>;
@group(0) @binding(4) var<storage, read> correlationStart: array<u32>;
@group(0) @binding(5) var<storage, read> correlation: array<f32>;
@group(0) @binding(6) var<storage, read_write> factors: array<f32>;
@group(0) @binding(7) var<storage, read_write> whiteAnomalies: array<vec4f>;
@group(0) @binding(8) var<storage, read_write> whiteSlots: array<vec4f>;

/// Share of an error's variance that is its own at least: float32 resolves no less beside what those before leave of it.
const LEAST_OWN = 1.0 / 1048576.0;

/// 1 over the pivots.
var<workgroup> inverse: array<f32, listed>;

/// C of two slots.
fn correlationOf(a: u32, b: u32) -> f32 {
  let i = u32(slots[a].w) - 1u;
  let j = u32(slots[b].w) - 1u;
  let row = max(i, j);
  let apart = row - min(i, j);
  let end = correlationStart[row + 1u];
  if (apart >= end - correlationStart[row]) {
    return 0.0;
  }
  return correlation[end - 1u - apart];
}

@compute @workgroup_size(64)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let point = group.x + group.y * groups.x;
  let cell = parameters.firstCell + point;
  if (cell >= parameters.endCell) {
    return;
  }
  let n = findLocal(vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx)), lane);
  let capacity = parameters.localCapacity;
  let quads = parameters.quads;
  let factor = point * capacity * capacity;
  let first = point * capacity;
  for (var j = 0u; j < n; j++) {
    let rows = n - j;
    for (var e = lane; e <= rows + quads; e += LANES) {
      if (e < rows) {
        let i = j + e;
        var left = 1.0;
        if (e > 0u) {
          left = localRoot[i] * localRoot[j] * correlationOf(localSlot[i], localSlot[j]);
        }
        for (var m = 0u; m < j; m++) {
          let column = factor + m * capacity;
          left = fma(-factors[column + i] * inverse[m], factors[column + j], left);
        }
        factors[factor + j * capacity + i] = left;
        if (e == 0u) {
          inverse[j] = 1.0 / max(left, LEAST_OWN);
        }
      } else if (e < rows + quads) {
        let quad = e - rows;
        var left = localRoot[j] * anomalies[localSlot[j] * quads + quad];
        for (var m = 0u; m < j; m++) {
          left -= (factors[factor + m * capacity + j] * inverse[m]) * whiteAnomalies[(first + m) * quads + quad];
        }
        whiteAnomalies[(first + j) * quads + quad] = left;
      } else {
        var left = localRoot[j] * slots[localSlot[j]].z;
        for (var m = 0u; m < j; m++) {
          left -= (factors[factor + m * capacity + j] * inverse[m]) * whiteSlots[first + m].z;
        }
        whiteSlots[first + j] = vec4f(0.0, 0.0, left, 1.0);
      }
    }
    storageBarrier();
    workgroupBarrier();
  }
  for (var e = lane; e < n * quads; e += LANES) {
    whiteAnomalies[first * quads + e] *= sqrt(inverse[e / quads]);
  }
  for (var j = lane; j < capacity; j += LANES) {
    if (j < n) {
      whiteSlots[first + j].z *= sqrt(inverse[j]);
    } else {
      whiteSlots[first + j] = vec4f();
    }
  }
}
