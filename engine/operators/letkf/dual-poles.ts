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
 * along x. Points with fewer observations fill up with rows of zeros, which take no part.
 */

/** Invocations of a point; as many poles are worked on at once. */
const POINT_LANES = 8;
const LANES = 32;

/**
 * Vectors that are added up at once, at most one for each invocation of a point: few, so that many workgroups fit on a GPU, and odd,
 * so that what is written at once meets different banks.
 */
const CHUNK = 7;

/** Grid points of a workgroup. */
export const POLE_POINTS = LANES / POINT_LANES;

/** Place of G[i, j], j ≤ i, in its lower triangle by rows. */
function packed(i: number, j: number): number {
  return (i * (i + 1)) / 2 + j;
}

/** @param order ℓ, from 1 to LARGEST_POLE_ORDER of parameters.ts */
export function dualPolesCode(order: number): string {
  const size = packed(order, 0);
  const each = (line: (i: number) => string, from = 0, to = order): string => {
    let lines = '';
    for (let i = from; i < to; i++) lines += `${line(i)}\n`;
    return lines;
  };
  const quadsOfGram = Math.ceil(size / 4);
  /** Sums over the invocations of a point, of `count` vectors that each has; in chunks, so that little workgroup memory is needed. */
  const addUp = (count: number, value: (at: number) => string, target: (at: string) => string): string => {
    let code = '';
    for (let first = 0; first < count; first += CHUNK) {
      const those = Math.min(CHUNK, count - first);
      code += `${each((c) => `parts[lane * CHUNK + ${c}u] = ${value(first + c)};`, 0, those)}
  workgroupBarrier();
  if (share < ${those}u) {
    ${target(`${first}u + share`)} = sumOfParts(point, share);
  }
  workgroupBarrier();
`;
    }
    return code;
  };
  const pairs = (line: (i: number, j: number) => string): string => each((i) => each((j) => line(i, j), 0, i + 1));

  return `
const ORDER = ${order}u;
const POINT_LANES = ${POINT_LANES}u;
const CHUNK = ${CHUNK}u;

/// [invocation][value]
var<workgroup> parts: array<vec4f, ${LANES * CHUNK}>;
/// Lower triangle of G by rows, scaled.
var<workgroup> gram: array<vec4f, ${POLE_POINTS * quadsOfGram}>;
/// q of each observation, and then the sum of the members.
var<workgroup> sides: array<vec4f, ${POLE_POINTS * (order + 1)}>;

var<private> rows: array<u32, ${order}>;
var<private> roots: array<f32, ${order}>;
/// The members of this invocation where it has no more than four, about their origin.
var<private> kept: mat4x4f;
var<private> g: array<f32, ${size}>;
/// Right sides, and what a function of G makes of them.
var<private> vectors: array<vec4f, ${order}>;
var<private> results: array<vec4f, ${order}>;
/// (I + G)^-1 d.
var<private> meanWeights: array<f32, ${order}>;

/// Over the invocations of a point.
fn sumOfParts(point: u32, value: u32) -> vec4f {
  let first = point * POINT_LANES * CHUNK + value;
  var sum = parts[first];
  for (var l = 1u; l < POINT_LANES; l++) {
    sum += parts[first + l * CHUNK];
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
  ${pairs((i, j) => `g[${packed(i, j)}] = (roots[${i}] * roots[${j}]) * g[${packed(i, j)}];`)}
  let start = point * ${quadsOfGram}u;
  ${addUp(
    quadsOfGram,
    (quad) => `vec4f(${[0, 1, 2, 3].map((c) => (4 * quad + c < size ? `g[${4 * quad + c}]` : '0.0')).join(', ')})`,
    (quad) => `gram[start + ${quad}]`,
  )}
  var trace = 0.0;
  ${each((i) => `trace += gram[start + ${packed(i, i) >> 2}u][${packed(i, i) & 3}];`)}
  let scaling = scalingOf(trace);
  workgroupBarrier();
  for (var quad = share; quad < ${quadsOfGram}u; quad += POINT_LANES) {
    gram[start + quad] *= scaling.factor;
  }
  workgroupBarrier();
  return scaling;
}

/// results += weight (G + shift)^-1 q of the point.
fn addPole(point: u32, shift: f32, weight: vec4f) {
  let start = point * ${quadsOfGram}u;
  let firstSide = point * (ORDER + 1u);
  ${pairs((i, j) => `g[${packed(i, j)}] = gram[start + ${packed(i, j) >> 2}u][${packed(i, j) & 3}]${i === j ? ' + shift' : ''};`)}
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

/// sides <- right sides of a block of variables, about \`origin\` (the rows of S sum to zero, so that q needs no mean), and the
/// sum of the members.
fn rightSides(lane: u32, point: u32, share: u32, block: u32, bases: vec4u, origin: vec4f) {
  let quads = parameters.quads;
  ${each((a) => `vectors[${a}] = vec4f();`)}
  var sum = vec4f();
  for (var quad = share; quad < quads; quad += POINT_LANES) {
    let x = fourMembers(bases, quad, origin);
    kept = x;
    ${each((a) => `vectors[${a}] += x * anomalies[rows[${a}] * quads + quad];`)}
    sum += (x[0] + x[1]) + (x[2] + x[3]);
  }
  // One of them has the innovations, which are the first block's first side.
  if (block == 0u) {
    ${each((a) => `vectors[${a}].x = 0.0;`)}
    if (share == 0u) {
      ${each((a) => `vectors[${a}].x = slots[rows[${a}]].z;`)}
    }
  }
  let firstSide = point * (ORDER + 1u);
  ${addUp(
    order + 1,
    (a) => (a < order ? `roots[${a}] * vectors[${a}]` : 'sum'),
    (a) => `sides[firstSide + ${a}]`,
  )}
}

/// sides <- Σ over the invocations of a point of their results.
fn addUpResults(lane: u32, point: u32, share: u32) {
  let firstSide = point * (ORDER + 1u);
  ${addUp(
    order,
    (a) => `results[${a}]`,
    (a) => `sides[firstSide + ${a}]`,
  )}
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
  let points = parameters.endCell - parameters.firstCell;
  let pointOfBatch = cell - parameters.firstCell;
  let root = rootFactor(vec2f(f32(cell % parameters.nx), f32(cell / parameters.nx)));
  ${each(
    (a) => `
  let listed${a} = lists[${a}u * points + pointOfBatch];
  rows[${a}] = listed${a}.x;
  roots[${a}] = bitcast<f32>(listed${a}.y) * root;`,
  )}
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
      var x = kept;
      if (parameters.quads > POINT_LANES) {
        x = fourMembers(bases, quad, origin);
      }
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
