// Kernels of P_HT.

// == zeros ==
// P_HT before the tiles in reach are written: 0. Most of it stays so where observations reach a small part of the grid.
// Workgroup: 256 invocations, side by side, for 4096 elements. Boundary: elements beyond the output are not there.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read_write> output: array<f32>;

const LANES = 256u;
const ELEMENTS = 4096u;

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let first = (group.x + group.y * groups.x) * ELEMENTS + lane;
  for (var i = first; i < min(first - lane + ELEMENTS, parameters.length); i += LANES) {
    output[i] = 0.0;
  }
}

// == observed-columns ==
// The sampled columns, scaled: columns[k][l] = h_k · e[column_k, l] / (L − 1) for the entries k of H that this run uses,
// members side by side, filled up with 0 to a multiple of 16, so that the product reads them in whole runs.
// Workgroup: 256 invocations along (k, l). Boundary: entries that are not there are left as they are and never read.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> anomalies: array<f32>;
@group(0) @binding(2) var<storage, read> indptr: array<u32>;
@group(0) @binding(3) var<storage, read> indices: array<u32>;
@group(0) @binding(4) var<storage, read> data: array<f32>;
@group(0) @binding(5) var<storage, read_write> columns: array<f32>;

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups, 256u);
  let entry = index / parameters.stride;
  let member = index % parameters.stride;
  let begin = indptr[parameters.firstObservation];
  let end = indptr[parameters.firstObservation + parameters.observations];
  if (entry >= min(parameters.nonzeros, end - begin)) {
    return;
  }
  var value = 0.0;
  if (member < parameters.members) {
    let anomaly = anomalies[member * parameters.state + indices[begin + entry]];
    value = data[begin + entry] * anomaly / f32(parameters.members - 1u);
  }
  columns[index] = value;
}

// == gain-covariance ==
// P_HT[i, j] = Σ_l e[i, l] · Σ_(entries k of row j) C(i, column_k) · columns[k][l], with columns from `observed-columns`.
// Source: [gain-gpu]; here the taper and Hᵀ are a matrix product of their own, whose rows meet the anomalies at its end: all
// stays in registers, and each element has one owner.
// Workgroup: one variable and one observation, and every so many tiles of 16 × 16 cells, one after the other, with GROUPS
// invocations for each four cells of a column; each of these has 16 of the members. First the entries in reach of a tile are
// listed, in their order; then GROUPS of them at a time are staged, with their tapers, while those before are worked on. A
// tile out of reach is left as `zeros` made it.
// Boundary: cells beyond the grid work on the last cell and are not stored; members are filled up with columns of 0.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> anomalies: array<f32>;
@group(0) @binding(2) var<storage, read> taperRow: array<f32>;
@group(0) @binding(3) var<storage, read> indptr: array<u32>;
@group(0) @binding(4) var<storage, read> indices: array<u32>;
@group(0) @binding(5) var<storage, read> columns: array<vec4f>;
@group(0) @binding(6) var<storage, read_write> output: array<f32>;

/// Invocations for each four cells: 1 to 4.
override GROUPS: u32;
/// 64 · GROUPS
override LANES: u32;
override GROUP_MEMBERS: u32 = 16u * GROUPS;
/// Quads of members of an entry that is staged.
override ENTRY_QUADS: u32 = 4u * GROUPS;
/// Entries that are staged at once: an invocation stages one vector of tapers, and at most one of members.
override BATCH: u32 = GROUPS;
/// Of one of two halves, which take turns.
override STAGED: u32 = BATCH * ENTRY_QUADS;
override TAPERS: u32 = LANES;
override WORDS: u32 = 2u * GROUPS;

const TILE = 16u;
/// A row of H with no more entries than this, as one that interpolates, is looked at before a tile is worked on.
const FEW_ENTRIES = 8u;
const QUADS = 64u;
/// Quads side by side in 32 invocations, 8 × 8 cells; what is out of reach of all of them costs nothing.
const RUN_QUADS = 16u;

var<workgroup> inReach: array<atomic<u32>, WORDS>;
var<workgroup> found: u32;
/// A bit for each tile that is looked at.
var<workgroup> tilesInReach: array<u32, WORDS>;
/// Of each listed entry: its place in `columns`, and its cell. No more are looked at than there are invocations.
var<workgroup> listedEntry: array<u32, LANES>;
var<workgroup> listedCell: array<vec2u, LANES>;
/// [listed][member quad] of the members being multiplied.
var<workgroup> stagedMembers: array<vec4f, 2u * STAGED>;
/// [listed][cell quad]
var<workgroup> tapers: array<vec4f, 2u * TAPERS>;

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

/// The cell of an entry.
fn cellOfEntry(entry: u32) -> vec2u {
  let cell = indices[entry] % (parameters.nx * parameters.ny);
  return vec2u(cell % parameters.nx, cell / parameters.nx);
}

/// Whether the taper of a cell reaches the tile at (low, high).
fn reaches(cell: vec2u, low: vec2u, high: vec2u) -> bool {
  return gap(cell.x, low.x, high.x, parameters.nx, parameters.periodicX) <= parameters.reachX &&
    gap(cell.y, low.y, high.y, parameters.ny, parameters.periodicY) <= parameters.reachY;
}

/// The tiles of all, in their order, and the cells of one.
fn lowestCell(tile: u32) -> vec2u {
  let tilesX = (parameters.nx + TILE - 1u) / TILE;
  return vec2u(tile % tilesX, tile / tilesX) * TILE;
}

fn highestCell(low: vec2u) -> vec2u {
  return min(low + TILE, vec2u(parameters.nx, parameters.ny)) - 1u;
}

/// Whether any entry of a row reaches the tile at `low`; not looked at if there are many.
fn mayReach(begin: u32, end: u32, low: vec2u) -> bool {
  if (end - begin > FEW_ENTRIES) {
    return true;
  }
  let high = highestCell(low);
  var may = false;
  for (var entry = begin; entry < end && !may; entry++) {
    may = reaches(cellOfEntry(entry), low, high);
  }
  return may;
}

/// The entries of a row from `next` on, LANES at a time and in their order, that reach the tile at (low, high).
fn listEntries(next: u32, end: u32, origin: u32, low: vec2u, high: vec2u, lane: u32) -> u32 {
  let entry = next + lane;
  var near = false;
  var cell = vec2u();
  if (entry < end) {
    cell = cellOfEntry(entry);
    near = reaches(cell, low, high);
  }
  if (lane < WORDS) {
    atomicStore(&inReach[lane], 0u);
  }
  workgroupBarrier();
  let word = lane / 32u;
  let bit = 1u << (lane % 32u);
  if (near) {
    atomicOr(&inReach[word], bit);
  }
  workgroupBarrier();
  // A lane's place is the number of lanes before it, so that the order does not depend on timing.
  var before = 0u;
  var all = 0u;
  for (var w = 0u; w < WORDS; w++) {
    let bits = atomicLoad(&inReach[w]);
    before += countOneBits(select(select(0u, bits & (bit - 1u), w == word), bits, w < word));
    all += countOneBits(bits);
  }
  if (near) {
    listedEntry[before] = entry - origin;
    listedCell[before] = cell;
  }
  if (lane == 0u) {
    found = all;
  }
  return workgroupUniformLoad(&found);
}

/// C between the cells (x, y[0 … 3]) and `cell`. The row has every lag of the grid, and zeros out of reach.
fn taperQuad(x: u32, y: vec4u, cell: vec2u) -> vec4f {
  let lagX = max(x, cell.x) - min(x, cell.x);
  let at = (max(y, vec4u(cell.y)) - min(y, vec4u(cell.y))) * parameters.nx + lagX;
  return vec4f(taperRow[at.x], taperRow[at.y], taperRow[at.z], taperRow[at.w]);
}

/// What an invocation reads of the BATCH listed entries from `first` on; zeros beyond the last.
struct Batch {
  members: vec4f,
  tapers: vec4f,
}

fn readBatch(first: u32, listed: u32, member: u32, lane: u32, x: u32, y: vec4u) -> Batch {
  var batch: Batch;
  let k = first + lane / ENTRY_QUADS;
  let source = member + lane % ENTRY_QUADS * 4u;
  if (lane < STAGED && k < listed && source < parameters.stride) {
    batch.members = columns[(listedEntry[k] * parameters.stride + source) / 4u];
  }
  let own = first + lane / QUADS;
  if (own < listed) {
    batch.tapers = taperQuad(x, y, listedCell[own]);
  }
  return batch;
}

/// Puts it into a half of `stagedMembers` and `tapers`.
fn stage(batch: Batch, half: u32, lane: u32) {
  if (lane < STAGED) {
    stagedMembers[half * STAGED + lane] = batch.members;
  }
  tapers[half * TAPERS + lane] = batch.tapers;
}

fn store(start: u32, x: u32, y: u32, value: f32) {
  if (x < parameters.nx && y < parameters.ny) {
    output[start + y * parameters.nx + x] = value;
  }
}

/// weights + columns of `tapers` times rows of `members`.
fn plus(weights: mat4x4f, taper: vec4f, members: vec4f) -> mat4x4f {
  return mat4x4f(
    weights[0] + members.x * taper,
    weights[1] + members.y * taper,
    weights[2] + members.z * taper,
    weights[3] + members.w * taper,
  );
}

/// Anomalies of a member at four state elements. Beyond the last member any value does: its weights are 0.
fn anomalyQuad(member: u32, element: vec4u) -> vec4f {
  let start = min(member, parameters.members - 1u) * (parameters.variables * parameters.ny * parameters.nx);
  let at = start + element;
  return vec4f(anomalies[at.x], anomalies[at.y], anomalies[at.z], anomalies[at.w]);
}

/// Σ over four members of weight times anomaly.
fn meet(weights: mat4x4f, member: u32, element: vec4u) -> vec4f {
  return (weights[0] * anomalyQuad(member, element) + weights[1] * anomalyQuad(member + 1u, element)) +
    (weights[2] * anomalyQuad(member + 2u, element) + weights[3] * anomalyQuad(member + 3u, element));
}

@compute @workgroup_size(LANES)
fn main(
  @builtin(workgroup_id) place: vec3u,
  @builtin(num_workgroups) places: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let tiles = ((parameters.nx + TILE - 1u) / TILE) * ((parameters.ny + TILE - 1u) / TILE);
  let row = parameters.firstObservation + place.z;
  let begin = indptr[row];
  let end = indptr[row + 1u];
  let start = (place.z * parameters.variables + place.y) * parameters.ny * parameters.nx;
  // The invocations look at a tile each, and then work together on those that may be in reach.
  for (var first = place.x; first < tiles; first += LANES * places.x) {
    let own = first + lane * places.x;
    if (lane < WORDS) {
      atomicStore(&inReach[lane], 0u);
    }
    workgroupBarrier();
    if (own < tiles && mayReach(begin, end, lowestCell(own))) {
      atomicOr(&inReach[lane / 32u], 1u << (lane % 32u));
    }
    workgroupBarrier();
    if (lane < WORDS) {
      tilesInReach[lane] = atomicLoad(&inReach[lane]);
    }
    for (var word = 0u; word < WORDS; word++) {
      var left = workgroupUniformLoad(&tilesInReach[word]);
      while (left != 0u) {
        let low = lowestCell(first + (32u * word + countTrailingZeros(left)) * places.x);
        multiplyTile(begin, end, low, highestCell(low), place.y, start, lane);
        left &= left - 1u;
      }
    }
  }
}

/// The cells of a tile of one variable, which begins at `start` of the output.
fn multiplyTile(begin: u32, end: u32, low: vec2u, high: vec2u, variable: u32, start: u32, lane: u32) {
  let quad = lane % RUN_QUADS + lane / (RUN_QUADS * GROUPS) * RUN_QUADS;
  let group = lane / RUN_QUADS % GROUPS;
  let own = low + cellsOf(quad);
  let rows = own.y + vec4u(0u, 1u, 2u, 3u);
  let elements = (variable * parameters.ny + min(rows, vec4u(high.y))) * parameters.nx + min(own.x, high.x);
  // The quad whose tapers this invocation stages.
  let staged = low + cellsOf(lane % QUADS);
  let stagedX = min(staged.x, high.x);
  let stagedY = min(staged.y + vec4u(0u, 1u, 2u, 3u), vec4u(high.y));
  let origin = indptr[parameters.firstObservation];
  var sum = vec4f();
  for (var member = 0u; member < parameters.stride; member += GROUP_MEMBERS) {
    // [member][cell], four members each.
    var weights0 = mat4x4f();
    var weights1 = mat4x4f();
    var weights2 = mat4x4f();
    var weights3 = mat4x4f();
    var reached = false;
    for (var entry = begin; entry < end; entry += LANES) {
      let listed = listEntries(entry, end, origin, low, high, lane);
      reached = reached || listed > 0u;
      stage(readBatch(0u, listed, member, lane, stagedX, stagedY), 0u, lane);
      workgroupBarrier();
      var half = 0u;
      for (var first = 0u; first < listed; first += BATCH) {
        let next = readBatch(first + BATCH, listed, member, lane, stagedX, stagedY);
        for (var k = 0u; k < BATCH; k++) {
          let taper = tapers[half * TAPERS + k * QUADS + quad];
          if (any(taper != vec4f())) {
            let at = half * STAGED + k * ENTRY_QUADS + 4u * group;
            weights0 = plus(weights0, taper, stagedMembers[at]);
            weights1 = plus(weights1, taper, stagedMembers[at + 1u]);
            weights2 = plus(weights2, taper, stagedMembers[at + 2u]);
            weights3 = plus(weights3, taper, stagedMembers[at + 3u]);
          }
        }
        half = 1u - half;
        stage(next, half, lane);
        workgroupBarrier();
      }
    }
    if (reached) {
      let first = member + 16u * group;
      sum += (meet(weights0, first, elements) + meet(weights1, first + 4u, elements)) +
        (meet(weights2, first + 8u, elements) + meet(weights3, first + 12u, elements));
    }
  }
  // Over the groups of a quad, for the first of them.
  tapers[group * QUADS + quad] = sum;
  workgroupBarrier();
  if (group == 0u) {
    for (var g = 1u; g < GROUPS; g++) {
      sum += tapers[g * QUADS + quad];
    }
    store(start, own.x, rows.x, sum.x);
    store(start, own.x, rows.y, sum.y);
    store(start, own.x, rows.z, sum.z);
    store(start, own.x, rows.w, sum.w);
  }
  workgroupBarrier();
}

/// The first of the four cells of a quad in its tile, which lie along y.
fn cellsOf(quad: u32) -> vec2u {
  return vec2u(quad % 8u + quad / 32u * 8u, quad / 8u % 4u * 4u);
}
