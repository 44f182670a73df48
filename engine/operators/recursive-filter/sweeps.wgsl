// Kernels of the recursive filter's sweeps.

// == sweeps ==
// The K-iterated recursive filter along one axis, all iterations in one dispatch. Source: [rf-gpu]; for the definition see
// index.ts. A sweep is written v_j = s_j + α(v_{j−1} − s_j), which keeps a constant exactly, so that float32 does not
// drift over many iterations as βs + αp does.
//
// Bindings: 0 parameters, 1 input, 2 output; both keep their layout (see lines.ts), so the pass runs along any axis.
//   With SPREAD the output is [lines][blocks][block points] instead, overlaps kept, for `overlap-add` to sum.
// Workgroup: LANES invocations on LINES lines; LANES/LINES neighbouring lanes hold a tile of one line, CELLS points each, in
//   registers. A sweep is a scan: every lane runs the recurrence with its own first point as the value before it; what it
//   lacks there is one number, its lag. Lags obey lag = gap + α^CELLS · lag of the lane before, a scan over the lanes that
//   ends as soon as what is further back has died away. With its lag, a lane runs the recurrence again and keeps it:
//   adding α^{c+1} · lag instead would drop what is below half a digit, the same way every iteration.
// Boundary: the filter's end conditions, as lags: v_{−1} − s_0 = −s_0 for a zero before the line, −M s_0 where the tail
//   of the sweep before is continued. A line longer than a tile is cut into tiles with a halo at which the end conditions
//   are no longer felt. Points outside the line are zero.

/// Points a lane holds, at most 32.
override CELLS: u32 = 8u;
/// Lines in a workgroup, a power of two.
override LINES: u32 = 8u;
override TRANSPOSE: bool = false;
override SPREAD: bool = false;

/// Invocations, and twice as many.
override LANES: u32 = 256u;
override EXCHANGE: u32 = 512u;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> source: array<f32>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;

/// Two banks, used in turn, so that one barrier an exchange is enough.
var<workgroup> exchange: array<f32, EXCHANGE>;
var<private> bank: u32;

/// What a lane's sweep lacks at its first point. `rank` counts lanes from where the sweep starts; the lane of rank 0
/// knows its lag. Lanes before it (negative rank) hold nothing of the line.
fn lagOf(lane: u32, rank: i32, towards: i32, chainEnd: f32, head: f32, startLag: f32) -> f32 {
  exchange[bank + lane] = chainEnd;
  workgroupBarrier();
  var lag = 0.0;
  if (rank > 0) {
    lag = exchange[bank + u32(i32(lane) + towards)] - head;
  } else if (rank == 0) {
    lag = startLag;
  }
  bank = LANES - bank;
  var decay = parameters.decay;
  for (var doubling = 0u; doubling < parameters.doublings; doubling++) {
    exchange[bank + lane] = lag;
    workgroupBarrier();
    let reach = 1 << doubling;
    if (rank >= reach) {
      lag = fma(decay, exchange[bank + u32(i32(lane) + towards * reach)], lag);
    }
    decay *= decay;
    bank = LANES - bank;
  }
  return lag;
}

@compute @workgroup_size(LANES)
fn main(
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let index = workgroup.x + workgroup.y * groups.x;
  if (index >= parameters.workgroups) {
    return;
  }
  bank = 0u;

  // Which tile of which block, and its points [first, end) counted from where the block's overlap starts.
  let tile = index % parameters.tiles;
  let block = index / parameters.tiles % parameters.blocks;
  let line = index / (parameters.tiles * parameters.blocks) * LINES + lane % LINES;
  let blockStart = block * parameters.blockSize + min(block, parameters.longer);
  let blockPoints = parameters.blockSize + select(0u, 1u, block < parameters.longer);
  let extended = blockPoints + 2u * parameters.overlap;
  let tileStart = tile * parameters.tilePoints;
  let tileEnd = min(tileStart + parameters.tilePoints, extended);
  let first = tileStart - min(tileStart, parameters.halo);
  let end = min(tileEnd + parameters.halo, extended);
  let points = select(0u, end - first, tileStart < extended);

  let lineAt = min(line, parameters.lines - 1u);
  let lineStart =
    (lineAt / parameters.inner) * parameters.outerStride + (lineAt % parameters.inner) * parameters.innerStride;

  // This lane's points are own … own + CELLS − 1 of the tile. The last point is the owner's.
  let segment = lane / LINES;
  let own = segment * CELLS;
  let lastPoint = max(points, 1u) - 1u;
  let owner = lastPoint / CELLS;
  let isFirst = segment == 0u;
  let isOwner = segment == owner;
  let padded = isOwner && own + CELLS > points;

  var values: array<f32, 32>;
  let origin = i32(blockStart + first) - i32(parameters.overlap);
  for (var c = 0u; c < CELLS; c++) {
    let at = origin + i32(own + c);
    let point = first + own + c;
    // The adjoint of dropping the overlap puts zeros there.
    let kept = !SPREAD || (point >= parameters.overlap && point < parameters.overlap + blockPoints);
    values[c] = 0.0;
    if (kept && own + c < points && at >= 0 && at < i32(parameters.length)) {
      values[c] = source[lineStart + u32(at) * parameters.step];
    }
  }

  for (var k = 0u; k < parameters.iterations; k++) {
    // Advancing. In the adjoint it starts from zero, and the last point is scaled.
    let head = values[0];
    var v = head;
    for (var c = 1u; c < CELLS; c++) {
      v = fma(parameters.alpha, v - values[c], values[c]);
    }
    let startsFromZero = TRANSPOSE || k == 0u;
    let advanceLag = -select(parameters.M, 1.0, startsFromZero) * head;
    v = head + lagOf(lane, i32(segment), -i32(LINES), v, head, advanceLag);
    for (var c = 0u; c < CELLS; c++) {
      v = fma(parameters.alpha, v - values[c], values[c]);
      values[c] = v;
    }

    // Backing starts in the owner's last point. Where the owner has room after it, the room holds the value the sweep
    // starts from, s + lag, which the recurrence carries to the last point unchanged.
    let backLag = -select(parameters.M, 1.0, TRANSPOSE);
    var startLag = backLag * values[CELLS - 1u];
    if (isOwner && (padded || TRANSPOSE)) {
      var start = 0.0;
      for (var c = 0u; c < CELLS; c++) {
        if (own + c == lastPoint) {
          values[c] *= select(1.0, parameters.endScale, TRANSPOSE);
          start = values[c] * (1.0 + backLag);
        }
        if (own + c > lastPoint) {
          values[c] = start;
        }
      }
      startLag = select(backLag * values[CELLS - 1u], 0.0, padded);
    }
    let tail = values[CELLS - 1u];
    v = tail;
    for (var c = CELLS - 1u; c > 0u; c--) {
      v = fma(parameters.alpha, v - values[c - 1u], values[c - 1u]);
    }
    v = tail + lagOf(lane, i32(owner) - i32(segment), i32(LINES), v, tail, startLag);
    for (var c = CELLS; c > 0u; c--) {
      v = fma(parameters.alpha, v - values[c - 1u], values[c - 1u]);
      values[c - 1u] = v;
    }
    if (TRANSPOSE && isFirst && k + 1u < parameters.iterations) {
      values[0] *= parameters.endScale;
    }
  }

  if (line >= parameters.lines) {
    return;
  }
  for (var c = 0u; c < CELLS; c++) {
    let point = first + own + c;
    if (own + c >= points || point < tileStart || point >= tileEnd) {
      continue;
    }
    if (SPREAD) {
      let blockStride = parameters.blockSize + select(0u, 1u, parameters.longer > 0u) + 2u * parameters.overlap;
      result[(line * parameters.blocks + block) * blockStride + point] = values[c];
    } else if (point >= parameters.overlap && point < parameters.overlap + blockPoints) {
      result[lineStart + (blockStart + point - parameters.overlap) * parameters.step] = values[c];
    }
  }
}

// == overlap-add ==
// The last step of the adjoint of Algorithm 2 [rf-gpu]: out(i) = Σ over blocks b whose extended range holds point i of
// swept(b, i − start(b) + overlap).
// Bindings: 0 parameters, 1 swept [lines][blocks][block points with both overlaps], 2 output in the layout of the lines.
// Workgroup: 256 invocations, one a point, folded into x and y. Invocations past the end do nothing; parts of a block
//   outside the line are omitted.

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> swept: array<f32>;
@group(0) @binding(2) var<storage, read_write> result: array<f32>;

fn blockStart(block: u32) -> u32 {
  return block * parameters.blockSize + min(block, parameters.longer);
}

@compute @workgroup_size(256)
fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let at = linearIndex(id, groups, 256u);
  if (at >= parameters.lines * parameters.length) {
    return;
  }
  let line = at / parameters.length;
  let i = at % parameters.length;
  let longest = parameters.blockSize + select(0u, 1u, parameters.longer > 0u);
  let stride = longest + 2u * parameters.overlap;
  // Blocks that start in (i − overlap − their size, i + overlap]; blocks are at least blockSize points apart.
  let firstBlock = (i - min(i, parameters.overlap)) / longest;
  var sum = 0.0;
  for (var block = firstBlock; block < parameters.blocks && blockStart(block) <= i + parameters.overlap; block++) {
    let end = blockStart(block + 1u) + parameters.overlap;
    if (i < end) {
      sum += swept[(line * parameters.blocks + block) * stride + i + parameters.overlap - blockStart(block)];
    }
  }
  let start = (line / parameters.inner) * parameters.outerStride + (line % parameters.inner) * parameters.innerStride;
  result[start + i * parameters.step] = sum;
}
