// transformed_j[i] = Σ_l ensemble_l[i] · transform[l][j], a tile of 64 members j and 64 elements i a workgroup.
// Needs library/tile-product.wgsl. Workgroup: 256 invocations; tiles of elements are folded into x and y, those of members
// are along z. Boundary: rows, terms and columns that are not there are 0 and not stored.

struct Parameters {
  members: u32,
  length: u32,
}

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> transform: array<f32>;
@group(0) @binding(3) var<storage, read_write> transformed: array<f32>;

fn transformAt(term: u32, row: u32) -> f32 {
  if (term >= parameters.members || row >= parameters.members) {
    return 0.0;
  }
  return transform[term * parameters.members + row];
}

fn ensembleAt(term: u32, column: u32) -> f32 {
  if (term >= parameters.members || column >= parameters.length) {
    return 0.0;
  }
  return ensemble[term * parameters.length + column];
}

fn store(row: u32, column: u32, value: f32) {
  if (row < parameters.members && column < parameters.length) {
    transformed[row * parameters.length + column] = value;
  }
}

fn storeQuad(row: u32, column: u32, value: vec4f) {
  store(row, column, value.x);
  store(row, column + 1u, value.y);
  store(row, column + 2u, value.z);
  store(row, column + 3u, value.w);
}

@compute @workgroup_size(256)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let firstColumn = (group.x + group.y * groups.x) * TILE;
  let firstRow = group.z * TILE;
  let laneTerm = lane / TILE_QUADS;
  let laneQuad = lane % TILE_QUADS;
  var sum = mat4x4f();
  for (var term = 0u; term < parameters.members; term += TILE_TERMS) {
    let row = firstRow + 4u * laneQuad;
    let column = firstColumn + 4u * laneQuad;
    let t = term + laneTerm;
    workgroupBarrier();
    leftTile[stagedAt(laneTerm, laneQuad)] =
      vec4f(transformAt(t, row), transformAt(t, row + 1u), transformAt(t, row + 2u), transformAt(t, row + 3u));
    rightTile[stagedAt(laneTerm, laneQuad)] =
      vec4f(ensembleAt(t, column), ensembleAt(t, column + 1u), ensembleAt(t, column + 2u), ensembleAt(t, column + 3u));
    workgroupBarrier();
    accumulateTile(&sum, lane / TILE_QUADS, lane % TILE_QUADS);
  }
  let row = firstRow + 4u * (lane / TILE_QUADS);
  let column = firstColumn + 4u * (lane % TILE_QUADS);
  storeQuad(row, column, sum[0]);
  storeQuad(row + 1u, column, sum[1]);
  storeQuad(row + 2u, column, sum[2]);
  storeQuad(row + 3u, column, sum[3]);
}
