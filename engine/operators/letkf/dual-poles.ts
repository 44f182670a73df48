/**
 * The kernel of the dual form for a few local observations, several invocations for each grid point [hunt2007; hht2008],
 * written out for one order ℓ: a GPU's compiler keeps an array in registers only where every index is a number.
 *
 *   G = S Sᵀ (ℓ × ℓ),  q = X Sᵀ,  analysis = mean + √ρ (X − q f(G) S) + √(ρ/(k − 1)) q (I + G)⁻¹ d,
 *   f(t) = (1 − (1 + t)^−½)/t = Σ over poles of weight/(t + shift).
 *
 * The invocations of a point divide first the members among them, four at a time, for G and q; then the poles: each is an
 * LDLᵀ of G + shift, whose pivots are never below the shift (G is positive semidefinite): the clamp holds them there against
 * rounding. G is scaled by its trace, so that no accuracy of the observations overflows. The poles are those for
 * 1 + trace G, a bound on the condition. Sums over invocations are made in the order of these, in workgroup memory.
 *
 * Bindings: see local.wgsl. Workgroup: 32 invocations, POINT_LANES for each of the grid points, which follow each other
 * along x. Points with fewer observations fill up with rows of zeros, which take no part. Observations met beyond ℓ are
 * omitted.
 */

/** ℓ up to which the factors of G stay in registers and the parts of its sums in workgroup memory of 16 KiB. */
export const LARGEST_POLE_ORDER = 11;

/** Invocations of a point; as many poles are worked on at once. */
const POINT_LANES = 8;
const LANES = 32;

/** Grid points of a workgroup. */
export const POLE_POINTS = LANES / POINT_LANES;

/** Place of G[i, j], j ≤ i, in its lower triangle by rows. */
function packed(i: number, j: number): number {
  return (i * (i + 1)) / 2 + j;
}

/** @param order ℓ, from 1 to LARGEST_POLE_ORDER */
export function dualPolesCode(order: number): string {
  const size = packed(order, 0);
  const each = (line: (i: number) => string, from = 0, to = order): string => {
    let lines = '';
    for (let i = from; i < to; i++) lines += `${line(i)}\n`;
    return lines;
  };
  const pairs = (line: (i: number, j: number) => string): string => each((i) => each((j) => line(i, j), 0, i + 1));
  // Odd, so that what several invocations write at once meets different banks.
  const stride = Math.max(size, 4 * (order + 1)) | 1;

  return `
const ORDER = ${order}u;
const POINT_LANES = ${POINT_LANES}u;
const STRIDE = ${stride}u;

/// Of each point: its observations, and the roots of their weights.
var<workgroup> listedSlot: array<u32, ${POLE_POINTS * order}>;
var<workgroup> listedRoot: array<f32, ${POLE_POINTS * order}>;
/// [invocation][value]
var<workgroup> parts: array<f32, ${LANES * stride}>;
/// Lower triangle of G by rows, scaled.
var<workgroup> gram: array<f32, ${POLE_POINTS * size}>;
/// q of each observation, and then the sum of the members.
var<workgroup> sides: array<vec4f, ${POLE_POINTS * (order + 1)}>;

var<private> rows: array<u32, ${order}>;
var<private> roots: array<f32, ${order}>;
var<private> g: array<f32, ${size}>;
/// Right sides, and what a function of G makes of them.
var<private> vectors: array<vec4f, ${order}>;
var<private> results: array<vec4f, ${order}>;
/// (I + G)^-1 d.
var<private> meanWeights: array<f32, ${order}>;

/// Lists the observations of positive weight around \`place\`.
fn findLocal(place: vec2f, list: u32) {
  let columns = columnsNear(place);
  let binRows = rowsNear(place);
  var count = 0u;
  for (var r = 0u; r < binRows.y; r++) {
    let row = (binRows.x + r) % parameters.binsY;
    for (var part = 0u; part < 2u; part++) {
      let range = slotsOf(row, columns, part);
      for (var slot = range.x; slot < range.y; slot++) {
        let root = rootWeight(slots[slot], place);
        if (root > 0.0 && count < ORDER) {
          listedSlot[list + count] = slot;
          listedRoot[list + count] = root;
          count += 1u;
        }
      }
    }
  }
  for (; count < ORDER; count++) {
    listedSlot[list + count] = 0u;
    listedRoot[list + count] = 0.0;
  }
}

/// Over the invocations of a point.
fn sumOfParts(point: u32, value: u32) -> f32 {
  let first = point * POINT_LANES * STRIDE + value;
  var sum = parts[first];
  for (var l = 1u; l < POINT_LANES; l++) {
    sum += parts[first + l * STRIDE];
  }
  return sum;
}

/// gram <- G of each point, scaled by its trace.
fn gramMatrices(lane: u32, point: u32, share: u32) -> Scaling {
  let quads = parameters.quads;
  ${each((e) => `g[${e}] = 0.0;`, 0, size)}
  for (var quad = share; quad < quads; quad += POINT_LANES) {
    ${each((i) => `let s${i} = anomalies[rows[${i}] * quads + quad];`)}
    ${pairs((i, j) => `g[${packed(i, j)}] += dot(s${i}, s${j});`)}
  }
  let own = lane * STRIDE;
  ${pairs((i, j) => `parts[own + ${packed(i, j)}u] = (roots[${i}] * roots[${j}]) * g[${packed(i, j)}];`)}
  workgroupBarrier();
  let start = point * ${size}u;
  for (var e = share; e < ${size}u; e += POINT_LANES) {
    gram[start + e] = sumOfParts(point, e);
  }
  workgroupBarrier();
  var trace = 0.0;
  ${each((i) => `trace += gram[start + ${packed(i, i)}u];`)}
  let scaling = scalingOf(trace);
  workgroupBarrier();
  for (var e = share; e < ${size}u; e += POINT_LANES) {
    gram[start + e] *= scaling.factor;
  }
  workgroupBarrier();
  return scaling;
}

/// results += weight (G + shift)^-1 q of the point.
fn addPole(point: u32, shift: f32, weight: vec4f) {
  let start = point * ${size}u;
  let firstSide = point * (ORDER + 1u);
  ${pairs((i, j) => `g[${packed(i, j)}] = gram[start + ${packed(i, j)}u]${i === j ? ' + shift' : ''};`)}
  ${each((i) => `vectors[${i}] = sides[firstSide + ${i}u];`)}
  var ratio = 0.0;
  ${each(
    (j) => `
  let inverse${j} = 1.0 / max(g[${packed(j, j)}], shift);
  ${each(
    (i) => `
  ratio = inverse${j} * g[${packed(i, j)}];
  ${each((k) => `g[${packed(i, k)}] -= ratio * g[${packed(k, j)}];`, j + 1, i + 1)}
  vectors[${i}] -= ratio * vectors[${j}];`,
    j + 1,
  )}
  ${each((i) => `g[${packed(i, j)}] *= inverse${j};`, j + 1)}`,
  )}
  ${each((back) => {
    const i = order - 1 - back;
    return `
  vectors[${i}] *= inverse${i};
  ${each((k) => `vectors[${i}] -= g[${packed(k, i)}] * vectors[${k}];`, i + 1)}
  results[${i}] += weight * vectors[${i}];`;
  })}
}

/// Four members of a block of variables about their origin, one a column; zeros beyond the last member.
fn fourMembers(bases: vec4u, quad: u32, origin: vec4f) -> mat4x4f {
  let last = parameters.members - 1u;
  let first = 4u * quad;
  return mat4x4f(
    blockMember(bases, first) - origin,
    select(vec4f(), blockMember(bases, min(first + 1u, last)) - origin, first + 1u <= last),
    select(vec4f(), blockMember(bases, min(first + 2u, last)) - origin, first + 2u <= last),
    select(vec4f(), blockMember(bases, min(first + 3u, last)) - origin, first + 3u <= last),
  );
}

fn writeParts(own: u32, a: u32, value: vec4f) {
  parts[own + 4u * a] = value.x;
  parts[own + 4u * a + 1u] = value.y;
  parts[own + 4u * a + 2u] = value.z;
  parts[own + 4u * a + 3u] = value.w;
}

/// Over the invocations of a point.
fn sumOfVectors(point: u32, a: u32) -> vec4f {
  return vec4f(
    sumOfParts(point, 4u * a),
    sumOfParts(point, 4u * a + 1u),
    sumOfParts(point, 4u * a + 2u),
    sumOfParts(point, 4u * a + 3u),
  );
}

/// sides <- right sides of a block of variables, about \`origin\` (the rows of S sum to zero, so that q needs no mean), and the
/// sum of the members.
fn rightSides(lane: u32, point: u32, share: u32, block: u32, bases: vec4u, origin: vec4f) {
  let quads = parameters.quads;
  ${each((a) => `vectors[${a}] = vec4f();`)}
  var sum = vec4f();
  for (var quad = share; quad < quads; quad += POINT_LANES) {
    let x = fourMembers(bases, quad, origin);
    ${each((a) => `vectors[${a}] += x * anomalies[rows[${a}] * quads + quad];`)}
    sum += (x[0] + x[1]) + (x[2] + x[3]);
  }
  let own = lane * STRIDE;
  ${each((a) => `writeParts(own, ${a}u, roots[${a}] * vectors[${a}]);`)}
  writeParts(own, ORDER, sum);
  workgroupBarrier();
  for (var a = share; a <= ORDER; a += POINT_LANES) {
    var side = sumOfVectors(point, a);
    if (block == 0u && a < ORDER) {
      side.x = listedRoot[point * ORDER + a] * slots[listedSlot[point * ORDER + a]].z;
    }
    sides[point * (ORDER + 1u) + a] = side;
  }
  workgroupBarrier();
}

/// sides <- Σ over the invocations of a point of their results.
fn addUpResults(lane: u32, point: u32, share: u32) {
  let own = lane * STRIDE;
  ${each((a) => `writeParts(own, ${a}u, results[${a}]);`)}
  workgroupBarrier();
  for (var a = share; a < ORDER; a += POINT_LANES) {
    sides[point * (ORDER + 1u) + a] = sumOfVectors(point, a);
  }
  workgroupBarrier();
}

@compute @workgroup_size(${LANES})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let point = lane / POINT_LANES;
  let share = lane % POINT_LANES;
  let index = parameters.firstCell + (group.x + group.y * groups.x) * ${POLE_POINTS}u + point;
  // Points beyond the last one work on it and write nothing.
  let cell = min(index, parameters.endCell - 1u);
  let list = point * ORDER;
  if (share == 0u) {
    findLocal(vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx)), list);
  }
  workgroupBarrier();
  ${each((a) => `rows[${a}] = listedSlot[list + ${a}u];\nroots[${a}] = listedRoot[list + ${a}u];`)}
  let stretch = stretchAt(cell);
  let scaling = gramMatrices(lane, point, share);
  let firstPole = polesFor(1.0 / scaling.unit);
  let poleCount = u32(poles[firstPole].w);
  let firstSide = point * (ORDER + 1u);

  for (var block = 0u; 4u * block <= parameters.variables; block++) {
    let bases = blockBases(block, cell);
    // About the first member, so that anomalies keep their digits.
    let origin = blockMember(bases, 0u);
    rightSides(lane, point, share, block, bases, origin);
    let mean = sides[firstSide + ORDER] / f32(parameters.members);
    ${each((a) => `results[${a}] = vec4f();`)}
    // One more in the first block: the weights of the mean.
    for (var m = share; m < poleCount + select(0u, 1u, block == 0u); m += POINT_LANES) {
      let pole = poles[firstPole + min(m, poleCount - 1u)];
      let isMean = m == poleCount;
      let weight = select(sideWeights(block, scaling.factor * pole.z), vec4f(scaling.factor, 0.0, 0.0, 0.0), isMean);
      addPole(point, scaling.unit * select(pole.x, 1.0, isMean), weight);
    }
    ${each((a) => `let q${a} = sides[firstSide + ${a}u];`)}
    workgroupBarrier();
    addUpResults(lane, point, share);
    var shift = vec4f();
    ${each(
      (a) => `
    vectors[${a}] = sides[firstSide + ${a}u];
    meanWeights[${a}] = select(meanWeights[${a}], vectors[${a}].x, block == 0u);
    shift += meanWeights[${a}] * q${a};
    vectors[${a}] *= roots[${a}];`,
    )}
    workgroupBarrier();
    let centre = mean + parameters.meanScale * shift;
    for (var quad = share; quad < parameters.quads; quad += POINT_LANES) {
      var x = fourMembers(bases, quad, origin);
      var row = vec4f();
      ${each(
        (a) => `
      row = anomalies[rows[${a}] * parameters.quads + quad];
      x[0] -= row.x * vectors[${a}];
      x[1] -= row.y * vectors[${a}];
      x[2] -= row.z * vectors[${a}];
      x[3] -= row.w * vectors[${a}];`,
      )}
      keepMember(index == cell, block, bases, 4u * quad, origin + (centre + stretch * (x[0] - mean)));
      keepMember(index == cell, block, bases, 4u * quad + 1u, origin + (centre + stretch * (x[1] - mean)));
      keepMember(index == cell, block, bases, 4u * quad + 2u, origin + (centre + stretch * (x[2] - mean)));
      keepMember(index == cell, block, bases, 4u * quad + 3u, origin + (centre + stretch * (x[3] - mean)));
    }
  }
}

fn keepMember(isOwn: bool, block: u32, bases: vec4u, member: u32, values: vec4f) {
  if (isOwn && member < parameters.members) {
    writeMember(block, bases, member, values);
  }
}
`;
}
