// C = Y^T R^-1 w of every cell [letkf-gpu], from workgroup memory: a tile of cells with its neighbours is read once a member.
// Bindings: as in c-naive.wgsl. Workgroup: 16 x 16 cells. Neighbours beyond the edge count as 0.

const SIDE = 16u;
const TILE = SIDE + 2u;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> anomalies: array<f32>;
@group(0) @binding(2) var<storage, read> weights: array<f32>;
@group(0) @binding(3) var<storage, read_write> c: array<f32>;

var<workgroup> tile: array<f32, TILE * TILE>;

/// The anomaly at a place that may lie beyond the edge.
fn anomalyAt(member: u32, place: vec2i) -> f32 {
  let size = vec2i(vec2u(parameters.nx, parameters.ny));
  if (any(place < vec2i()) || any(place >= size)) {
    return 0.0;
  }
  return anomalies[(member * parameters.ny + u32(place.y)) * parameters.nx + u32(place.x)];
}

@compute @workgroup_size(16, 16)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let corner = vec2i(SIDE * group.xy) - 1;
  let place = SIDE * group.xy + local.xy;
  let inside = place.x < parameters.nx && place.y < parameters.ny;
  let cell = place.y * parameters.nx + place.x;
  for (var member = 0u; member < parameters.members; member++) {
    for (var e = lane; e < TILE * TILE; e += SIDE * SIDE) {
      tile[e] = anomalyAt(member, corner + vec2i(vec2u(e % TILE, e / TILE)));
    }
    workgroupBarrier();
    if (inside) {
      for (var o = 0u; o < NEIGHBOURS; o++) {
        let near = tile[(local.y + o / 3u) * TILE + local.x + o % 3u];
        c[(cell * parameters.members + member) * NEIGHBOURS + o] = weights[o] * near;
      }
    }
    workgroupBarrier();
  }
}
