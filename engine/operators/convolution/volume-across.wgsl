// A pass across the rows or the planes of a volume [magic-filter]: out(o, i, c) = Σ_j ω_j in(o, i + j, c), arrays of
// [outer][length][columns] Points.
// Bindings: those of volume-singles.wgsl or volume-quads.wgsl.
// Workgroup: COLUMNS neighbouring columns × SEGMENTS neighbouring segments of 4 · GROUPS points. An invocation goes along its
//   segment and reads every point once, four at a time and four ahead; sums that are not complete yet stay in its registers.
// Boundary: a column repeats itself.

override COLUMNS: u32 = 64u;
override SEGMENTS: u32 = 4u;
override GROUPS: u32 = 8u;

fn nextOf(at: u32) -> u32 {
  return select(at + 1u, 0u, at + 1u == parameters.length);
}

/// Keeps four sums of a column, the first at point i, as far as the column goes.
fn keepColumn(base: u32, i: u32, sums: Four) {
  let step = parameters.columns;
  let at = base + i * step;
  if (i < parameters.length) {
    result[at] = sums.a;
  }
  if (i + 1u < parameters.length) {
    result[at + step] = sums.b;
  }
  if (i + 2u < parameters.length) {
    result[at + 2u * step] = sums.c;
  }
  if (i + 3u < parameters.length) {
    result[at + 3u * step] = sums.d;
  }
}

@compute @workgroup_size(COLUMNS, SEGMENTS)
fn main(@builtin(global_invocation_id) id: vec3u) {
  let first = id.y * 4u * GROUPS;
  if (id.x >= parameters.columns || first >= parameters.length) {
    return;
  }
  let step = parameters.columns;
  let base = id.z * parameters.length * step + id.x;
  let w0 = weights[0];
  let w1 = weights[1];
  let w2 = weights[2];
  let w3 = weights[3];

  var b = (first + parameters.length - parameters.lower % parameters.length) % parameters.length;
  var next = Four();
  var fourth = Four();
  var third = Four();
  var second = Four();
  var youngest = Four();
  // One group of points is read before the first is worked on.
  for (var m = 0u; m <= GROUPS + 4u; m++) {
    let points = next;
    if (m < GROUPS + 4u) {
      let c = nextOf(b);
      let d = nextOf(c);
      let e = nextOf(d);
      next = Four(source[base + b * step], source[base + c * step], source[base + d * step], source[base + e * step]);
      b = nextOf(e);
    }
    if (m == 0u) {
      continue;
    }
    // Sums that began four groups ago are complete with this one.
    if (m >= 5u) {
      keepColumn(base, first + 4u * (m - 5u), endAcross(fourth, points, w3));
    }
    fourth = slideAcross(third, points, w3, w2);
    third = slideAcross(second, points, w2, w1);
    second = slideAcross(youngest, points, w1, w0);
    youngest = beginAcross(points, w0);
  }
}
