// P_HT[i, j] = Σ_l e[i, l] · Σ_(entries k of row j) C(i, column_k) · columns[k][l], with columns from observed-columns.wgsl.
// Source: [gain-gpu]; here the sampled product, the taper and Hᵀ are one sum, in registers, with one owner each element.
// Workgroup: 64 invocations for a tile of 16 × 16 cells of one variable and one observation; an invocation owns four cells
// of a column, which share each staged member. First the entries in reach of the tile are listed, in their order; then 16
// members at a time are staged in workgroup memory and multiplied. A tile out of reach lists nothing and writes zeros.
// Boundary: cells beyond the grid work on the last cell and are not stored; members are filled up with columns of 0.

// The struct Parameters is made of its description in webgpu.ts.
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> anomalies: array<f32>;
@group(0) @binding(2) var<storage, read> taperRow: array<f32>;
@group(0) @binding(3) var<storage, read> indptr: array<u32>;
@group(0) @binding(4) var<storage, read> indices: array<u32>;
@group(0) @binding(5) var<storage, read> columns: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> output: array<f32>;

const LANES = 64u;
const TILE = 16u;
const CELLS_A_LANE = 4u;
const STAGED_QUADS = 4u;
/// Two batches of LANES: a third is looked at only while the list holds at most one.
const LIST = 128u;

var<workgroup> inReach: array<atomic<u32>, 2>;
var<workgroup> found: u32;
/// Of each listed entry: its place in `columns`, and its cell.
var<workgroup> listedEntry: array<u32, LIST>;
var<workgroup> listedCell: array<vec2u, LIST>;
/// [listed][member quad] of the members being multiplied.
var<workgroup> staged: array<vec4f, 512>;

/// Distance of index `centre` from the interval [low, high], the shorter way round where periodic.
fn gap(centre: u32, low: u32, high: u32, size: u32, periodic: u32) -> u32 {
  let below = select(0u, low - centre, centre < low);
  let above = select(0u, centre - high, centre > high);
  let direct = max(below, above);
  if (periodic == 0u || direct == 0u) {
    return direct;
  }
  return min(direct, select(centre + size - high, low + size - centre, centre > high));
}

/// The entries of a row from `next` on, LANES at a time and in their order, that reach the tile at (low, high).
fn listEntries(next: u32, end: u32, listed: u32, origin: u32, low: vec2u, high: vec2u, lane: u32) -> u32 {
  let entry = next + lane;
  var near = false;
  var cell = vec2u();
  if (entry < end) {
    let cellIndex = indices[entry] % (parameters.nx * parameters.ny);
    cell = vec2u(cellIndex % parameters.nx, cellIndex / parameters.nx);
    near = gap(cell.x, low.x, high.x, parameters.nx, parameters.periodicX) <= parameters.reachX &&
      gap(cell.y, low.y, high.y, parameters.ny, parameters.periodicY) <= parameters.reachY;
  }
  if (lane < 2u) {
    atomicStore(&inReach[lane], 0u);
  }
  workgroupBarrier();
  let word = lane / 32u;
  let bit = 1u << (lane % 32u);
  if (near) {
    atomicOr(&inReach[word], bit);
  }
  workgroupBarrier();
  let first = atomicLoad(&inReach[0]);
  let second = atomicLoad(&inReach[1]);
  if (near) {
    // A lane's place is the number of lanes before it, so that the order does not depend on timing.
    let before = select(countOneBits(first & (bit - 1u)), countOneBits(first) + countOneBits(second & (bit - 1u)), word == 1u);
    listedEntry[listed + before] = entry - origin;
    listedCell[listed + before] = cell;
  }
  if (lane == 0u) {
    found = countOneBits(first) + countOneBits(second);
  }
  return listed + workgroupUniformLoad(&found);
}

/// Four of the 16 members from `member` on, at one state element. Beyond the last member any value does: columns are 0.
fn memberQuad(member: u32, element: u32) -> vec4f {
  let state = parameters.variables * parameters.ny * parameters.nx;
  let last = parameters.members - 1u;
  return vec4f(
    anomalies[min(member, last) * state + element],
    anomalies[min(member + 1u, last) * state + element],
    anomalies[min(member + 2u, last) * state + element],
    anomalies[min(member + 3u, last) * state + element],
  );
}

fn membersAt(member: u32, element: u32) -> mat4x4f {
  return mat4x4f(
    memberQuad(member, element),
    memberQuad(member + 4u, element),
    memberQuad(member + 8u, element),
    memberQuad(member + 12u, element),
  );
}

/// Number of grid points between two indices, as it enters the taper row.
fn difference(a: u32, b: u32) -> u32 {
  return max(a, b) - min(a, b);
}

fn within(lag: u32, reach: u32, size: u32, periodic: u32) -> bool {
  return lag <= reach || (periodic == 1u && size - lag <= reach);
}

/// C between cells that are `lagX` apart along x, which is in reach.
fn taperAt(lagX: u32, y: u32, cellY: u32) -> f32 {
  let lagY = difference(y, cellY);
  return select(
    0.0,
    taperRow[lagY * parameters.nx + lagX],
    within(lagY, parameters.reachY, parameters.ny, parameters.periodicY),
  );
}

/// C between the cells (x, y[0 … 3]) and `cell`.
fn taperQuad(x: u32, y: vec4u, cell: vec2u) -> vec4f {
  let lagX = difference(x, cell.x);
  if (!within(lagX, parameters.reachX, parameters.nx, parameters.periodicX)) {
    return vec4f();
  }
  return vec4f(
    taperAt(lagX, y.x, cell.y),
    taperAt(lagX, y.y, cell.y),
    taperAt(lagX, y.z, cell.y),
    taperAt(lagX, y.w, cell.y),
  );
}

fn store(start: u32, x: u32, y: u32, value: f32) {
  if (x < parameters.nx && y < parameters.ny) {
    output[start + y * parameters.nx + x] = value;
  }
}

@compute @workgroup_size(64)
fn main(@builtin(workgroup_id) tile: vec3u, @builtin(local_invocation_index) lane: u32) {
  let nx = parameters.nx;
  let ny = parameters.ny;
  let tileRows = (ny + TILE - 1u) / TILE;
  let variable = tile.y / tileRows;
  let low = vec2u(tile.x, tile.y % tileRows) * TILE;
  let high = min(low + TILE, vec2u(nx, ny)) - 1u;

  let ownX = low.x + lane % TILE;
  let ownY = low.y + lane / TILE * CELLS_A_LANE + vec4u(0u, 1u, 2u, 3u);
  let x = min(ownX, high.x);
  let y = min(ownY, vec4u(high.y));
  let element = variable * nx * ny + y * nx + x;

  let origin = indptr[parameters.firstObservation];
  let row = parameters.firstObservation + tile.z;
  let end = indptr[row + 1u];
  var next = indptr[row];
  // Of the four cells; the members of a quad are added up at the end.
  var sum0 = vec4f();
  var sum1 = vec4f();
  var sum2 = vec4f();
  var sum3 = vec4f();
  while (next < end) {
    var listed = 0u;
    while (next < end && listed <= LIST - LANES) {
      listed = listEntries(next, end, listed, origin, low, high, lane);
      next += LANES;
    }
    if (listed == 0u) {
      continue;
    }
    for (var member = 0u; member < parameters.stride; member += 4u * STAGED_QUADS) {
      for (var s = lane; s < listed * STAGED_QUADS; s += LANES) {
        let entry = listedEntry[s / STAGED_QUADS];
        staged[s] = columns[(entry * parameters.stride + member) / 4u + s % STAGED_QUADS];
      }
      let e0 = membersAt(member, element.x);
      let e1 = membersAt(member, element.y);
      let e2 = membersAt(member, element.z);
      let e3 = membersAt(member, element.w);
      workgroupBarrier();
      for (var k = 0u; k < listed; k++) {
        let taper = taperQuad(x, y, listedCell[k]);
        if (any(taper != vec4f())) {
          let s0 = staged[k * STAGED_QUADS];
          let s1 = staged[k * STAGED_QUADS + 1u];
          let s2 = staged[k * STAGED_QUADS + 2u];
          let s3 = staged[k * STAGED_QUADS + 3u];
          sum0 += taper.x * (e0[0] * s0 + e0[1] * s1 + e0[2] * s2 + e0[3] * s3);
          sum1 += taper.y * (e1[0] * s0 + e1[1] * s1 + e1[2] * s2 + e1[3] * s3);
          sum2 += taper.z * (e2[0] * s0 + e2[1] * s1 + e2[2] * s2 + e2[3] * s3);
          sum3 += taper.w * (e3[0] * s0 + e3[1] * s1 + e3[2] * s2 + e3[3] * s3);
        }
      }
      workgroupBarrier();
    }
  }
  let one = vec4f(1.0);
  let start = (tile.z * parameters.variables + variable) * ny * nx;
  store(start, ownX, ownY.x, dot(sum0, one));
  store(start, ownX, ownY.y, dot(sum1, one));
  store(start, ownX, ownY.z, dot(sum2, one));
  store(start, ownX, ownY.w, dot(sum3, one));
}
