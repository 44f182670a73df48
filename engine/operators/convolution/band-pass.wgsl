// One pass of a separable filter: out(i) = Σ_q row(i)[q] · in(i − lower + q) on every line of an array along one axis.
// Source: [magic-filter], with the lines taken side by side in place of a transposed write.
//
// Bindings: 0 parameters, 1 distinct rows of the band, each padded with zeros to a multiple of 4 weights,
//   2 input, 3 output; both keep their layout (see lines.ts), so a pass runs along any axis.
// Workgroup: 256 invocations, a tile of LINES lines × 256/LINES segments of 8 points. The tile and the points its taps
//   reach are gathered in workgroup memory, CHUNK taps at a time, so that any number of taps fits. An invocation holds its
//   8 sums in registers and slides over the gathered points: 32 multiply-adds for 4 points and 4 weights read.
// Boundary: a point outside the line is zero, or, if periodic, the line again. The first `left` and last `right` points
//   have rows of their own.

/// Lines side by side in a tile: 32 or 1.
override LINES: u32 = 32u;

/// Taps for which points are gathered at a time, a multiple of 4.
override CHUNK: u32 = 60u;
/// The tile, (2048 / LINES + CHUNK) points of LINES lines, and one element in 33 left free against bank conflicts.
override TILE_ELEMENTS: u32 = 4092u;

const SUMS = 8u;

@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> rows: array<vec4f>;
@group(0) @binding(2) var<storage, read> source: array<f32>;
@group(0) @binding(3) var<storage, read_write> result: array<f32>;

var<workgroup> tile: array<f32, TILE_ELEMENTS>;

/// Where a point of a line is in the tile: lines fastest, an element free after every 32.
fn place(point: u32, line: u32) -> u32 {
  let at = point * LINES + line;
  return at + (at >> 5u);
}

fn lineStart(line: u32) -> u32 {
  return (line / parameters.inner) * parameters.outerStride + (line % parameters.inner) * parameters.innerStride;
}

/// The input at a point that may lie outside the line.
fn pointOf(start: u32, at: i32) -> f32 {
  let length = i32(parameters.length);
  var i = at;
  if (i < 0 || i >= length) {
    if (parameters.periodic == 0u) {
      return 0.0;
    }
    i = i % length;
    i = select(i, i + length, i < 0);
  }
  return source[start + u32(i) * parameters.step];
}

/// Adds four points' share to four sums, from weights at indices 4m … 4m + 3 (`high`) and 4m − 4 … 4m − 1 (`low`):
/// component t gets Σ_k weight(4m + k − t) · points[k], in this order.
fn slide(before: vec4f, points: vec4f, high: vec4f, low: vec4f) -> vec4f {
  var sums = fma(vec4f(points.x), vec4f(high.x, low.wzy), before);
  sums = fma(vec4f(points.y), vec4f(high.yx, low.wz), sums);
  sums = fma(vec4f(points.z), vec4f(high.zyx, low.w), sums);
  return fma(vec4f(points.w), high.wzyx, sums);
}

/// First weight, in vectors, of the row that point i has.
fn rowStart(i: u32) -> u32 {
  let rightStart = parameters.length - parameters.right;
  let ofEnd = parameters.left + 1u + i - rightStart;
  let row = select(select(parameters.left, ofEnd, i >= rightStart), i, i < parameters.left);
  return row * (parameters.width / 4u);
}

fn fourPoints(point: u32, line: u32) -> vec4f {
  return vec4f(
    tile[place(point, line)],
    tile[place(point + 1u, line)],
    tile[place(point + 2u, line)],
    tile[place(point + 3u, line)],
  );
}

/// Adds the share of `taps` weights to four neighbouring sums whose points, i and on, may have rows of their own.
fn slideEnds(before: vec4f, i: u32, point: u32, line: u32, firstTap: u32, taps: u32) -> vec4f {
  let last = parameters.length - 1u;
  let starts = vec4u(rowStart(min(i, last)), rowStart(min(i + 1u, last)), rowStart(min(i + 2u, last)), rowStart(min(i + 3u, last)));
  var sums = before;
  for (var q = 0u; q < taps; q += 4u) {
    let at = (firstTap + q) / 4u;
    let weights = transpose(mat4x4f(rows[starts.x + at], rows[starts.y + at], rows[starts.z + at], rows[starts.w + at]));
    let near = fourPoints(point + q, line);
    let far = fourPoints(point + q + 4u, line);
    sums = fma(weights[0], near, sums);
    sums = fma(weights[1], vec4f(near.yzw, far.x), sums);
    sums = fma(weights[2], vec4f(near.zw, far.xy), sums);
    sums = fma(weights[3], vec4f(near.w, far.xyz), sums);
  }
  return sums;
}

fn keepFour(point: u32, line: u32, sums: vec4f) {
  tile[place(point, line)] = sums.x;
  tile[place(point + 1u, line)] = sums.y;
  tile[place(point + 2u, line)] = sums.z;
  tile[place(point + 3u, line)] = sums.w;
}

@compute @workgroup_size(256)
fn main(
  @builtin(local_invocation_index) lane: u32,
  @builtin(workgroup_id) workgroup: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
  let index = workgroup.x + workgroup.y * groups.x;
  if (index >= parameters.tiles) {
    return;
  }
  let tilePoints = 256u / LINES * SUMS;
  let tileStart = (index % parameters.tilesAlong) * tilePoints;
  let firstLine = (index / parameters.tilesAlong) * LINES;

  // How the lanes share the memory traffic: neighbours along the lines, or across them.
  let along = parameters.step == 1u;
  let pointLanes = parameters.pointLanes;
  let lineLanes = 256u / pointLanes;
  let firstPoint = select(lane / lineLanes, lane % pointLanes, along);
  let ownLine = select(lane % lineLanes, lane / pointLanes, along);

  // The sums of this lane: its line, and its segment of the tile.
  let line = lane % LINES;
  let segment = lane / LINES * SUMS;
  let i = tileStart + segment;
  let sharedRow = parameters.left * (parameters.width / 4u);
  let atRight = parameters.right > 0u && i + SUMS > parameters.length - parameters.right;
  let atEnd = i < parameters.left || atRight;

  var near = vec4f(0.0);
  var far = vec4f(0.0);
  for (var firstTap = 0u; firstTap < parameters.width; firstTap += CHUNK) {
    let taps = min(CHUNK, parameters.width - firstTap);
    let gathered = tilePoints + taps;
    let origin = i32(tileStart + firstTap) - i32(parameters.lower);
    workgroupBarrier();
    for (var other = ownLine; other < LINES; other += lineLanes) {
      let inside = firstLine + other < parameters.lines;
      let start = lineStart(min(firstLine + other, parameters.lines - 1u));
      for (var point = firstPoint; point < gathered; point += pointLanes) {
        var value = 0.0;
        if (inside) {
          value = pointOf(start, origin + i32(point));
        }
        tile[place(point, other)] = value;
      }
    }
    workgroupBarrier();

    if (atEnd) {
      near = slideEnds(near, i, segment, line, firstTap, taps);
      far = slideEnds(far, i + 4u, segment + 4u, line, firstTap, taps);
    } else {
      var low = vec4f(0.0);
      var lowest = vec4f(0.0);
      for (var q = 0u; q < taps + SUMS; q += 4u) {
        var high = vec4f(0.0);
        if (q < taps) {
          high = rows[sharedRow + (firstTap + q) / 4u];
        }
        let points = fourPoints(segment + q, line);
        near = slide(near, points, high, low);
        far = slide(far, points, low, lowest);
        lowest = low;
        low = high;
      }
    }
  }

  // Through workgroup memory, so that the writes are shared among the lanes as the reads were.
  workgroupBarrier();
  keepFour(segment, line, near);
  keepFour(segment + 4u, line, far);
  workgroupBarrier();
  let points = min(tilePoints, parameters.length - tileStart);
  let lines = min(LINES, parameters.lines - firstLine);
  for (var other = ownLine; other < lines; other += lineLanes) {
    let start = lineStart(firstLine + other) + tileStart * parameters.step;
    for (var point = firstPoint; point < points; point += pointLanes) {
      result[start + point * parameters.step] = tile[place(point, other)];
    }
  }
}
