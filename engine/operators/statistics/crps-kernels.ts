/**
 * WGSL that takes the CRPS from sorted members: Σ over pairs of |x_i − x_j| = Σ_l (2l + 1 − k) x_(l). Up to RUN members are sorted by
 * an invocation, in registers; more are sorted in runs, an invocation each, and the runs of a cell merged through workgroup memory.
 */
import { unrolled } from '../../compute/webgpu/program.ts';

/** Values that an invocation sorts, at most; a power of two. */
export const RUN = 32;

/** Invocations of a workgroup that sorts runs. */
export const RUN_LANES = 64;

type Pair = readonly [low: number, high: number];

/**
 * Batcher's odd-even merge sort of any number of values [knuth1998, 5.2.2 M].
 *
 * @returns pairs to be brought in order, one after the other
 */
export function sortingNetwork(count: number): readonly Pair[] {
  const pairs: Pair[] = [];
  const half = 2 ** (Math.ceil(Math.log2(Math.max(2, count))) - 1);
  for (let p = half; p >= 1; p /= 2) {
    let [rest, distance] = [0, p];
    for (let q = half; ; q /= 2) {
      for (let i = 0; i + distance < count; i++) if ((i & p) === rest) pairs.push([i, i + distance]);
      if (q === p) break;
      [rest, distance] = [p, q - p];
    }
  }
  return pairs;
}

/** Pairs that sort a bitonic sequence of RUN values. */
const HALF_CLEANERS: readonly Pair[] = [16, 8, 4, 2, 1].flatMap((distance) =>
  Array.from({ length: RUN }, (_, l) => [l, l + distance] as const).filter(([l]) => (l & distance) === 0),
);

function inOrder(pairs: readonly Pair[]): string {
  return pairs.map(([a, b]) => `{ let low = min(x${a}, x${b}); x${b} = max(x${a}, x${b}); x${a} = low; }`).join('\n');
}

/** `scoresOf` of scores.wgsl, for `ensemble-scores`. @param members at most RUN, which are read once */
export function scoresOfFew(members: number): string {
  return `
fn scoresOf(i: u32, isScored: bool) -> Scores {
  // Not written as constants, by whose reciprocals some compilers would multiply: the mean is that of ensemble-mean.
  let k = f32(parameters.members);
  let others = max(1.0, k - 1.0);
  let t = truth[i];
${unrolled(members, (l) => `var x${l} = memberAt(${l}u, i);`)}
  let first = x0;
  var error = 0.0;
  var fromFirst = 0.0;
${unrolled(members, (l) => `error += x${l} - t; fromFirst += x${l} - first;`)}
  error /= k;
  var distance = 0.0;
  var variance = 0.0;
${unrolled(members, (l) => `x${l} -= t; distance += abs(x${l}); x${l} -= error; variance += x${l} * x${l};`)}
  var own = Scores(error, first + fromFirst / k, variance / others, vec2f());
  if (isScored) {
    // Differences are taken of anomalies, which keep the digits of the spread.
${inOrder(sortingNetwork(members))}
    var dispersion = 0.0;
${unrolled(Math.floor(members / 2), (l) => `dispersion += ${members - 1 - 2 * l}.0 * (x${members - 1 - l} - x${l});`)}
    own.crps = (distance - dispersion / vec2f(k, others)) / k;
  }
  return own;
}
`;
}

/**
 * Adds up w times the CRPS, and its fair form, over the cells of a workgroup, as `ensemble-scores` does for few members; after it,
 * since it needs their mean. With `layout-of-sums`. Override: RUNS, runs of a cell, a power of two up to RUN_LANES.
 * Workgroup: RUN_LANES invocations, one a run; workgroups are folded into x and y along the cells, scored variables are along z.
 * Boundary: runs are filled with the largest of numbers, which stay behind the members; cells that are not there add 0.
 */
export const crpsOfMany = `
@group(0) @binding(0) var<uniform> parameters: Parameters;
@group(0) @binding(1) var<storage, read> ensemble: array<f32>;
@group(0) @binding(2) var<storage, read> truth: array<f32>;
@group(0) @binding(3) var<storage, read> weight: array<f32>;
@group(0) @binding(4) var<storage, read> means: array<f32>;
@group(0) @binding(5) var<storage, read> scored: array<u32>;
@group(0) @binding(6) var<storage, read_write> sums: array<f32>;

override RUNS: u32;
const FAR = 3.4e38;

var<workgroup> exchanged: array<f32, ${RUN * RUN_LANES}>;

@compute @workgroup_size(${RUN_LANES})
fn main(
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
  @builtin(local_invocation_index) lane: u32,
) {
  let cells = ${RUN_LANES}u / RUNS;
  let part = group.x + group.y * groups.x;
  let cell = part * cells + lane % cells;
  let run = lane / cells;
  let isThere = cell < parameters.cells;
  let i = scored[group.z] * parameters.cells + select(0u, cell, isThere);
  let state = parameters.variables * parameters.cells;
  let first = run * ${RUN}u;
  let t = truth[i];
  let mean = means[i];
  var distance = 0.0;
${unrolled(RUN, (l) => `var x${l} = FAR;`)}
${unrolled(
  RUN,
  (l) =>
    `if (first + ${l}u < parameters.members) { let x = ensemble[(first + ${l}u) * state + i]; distance += abs(x - t); x${l} = x - mean; }`,
)}
${inOrder(sortingNetwork(RUN))}
  for (var size = 2u; size <= RUNS; size *= 2u) {
    // Two sorted sequences, one against the other's reverse: the lower half of what they hold, and the upper.
    {
      let other = lane ^ ((size - 1u) * cells);
      let isLower = (run & (size / 2u)) == 0u;
${unrolled(RUN, (l) => `exchanged[${l * RUN_LANES}u + lane] = x${l};`)}
      workgroupBarrier();
${unrolled(RUN, (l) => `x${l} = chosen(x${l}, exchanged[${(RUN - 1 - l) * RUN_LANES}u + other], isLower);`)}
      workgroupBarrier();
    }
    for (var apart = size / 4u; apart > 0u; apart /= 2u) {
      let other = lane ^ (apart * cells);
      let isLower = (run & apart) == 0u;
${unrolled(RUN, (l) => `exchanged[${l * RUN_LANES}u + lane] = x${l};`)}
      workgroupBarrier();
${unrolled(RUN, (l) => `x${l} = chosen(x${l}, exchanged[${l * RUN_LANES}u + other], isLower);`)}
      workgroupBarrier();
    }
${inOrder(HALF_CLEANERS)}
  }
  let k = f32(parameters.members);
  let share = select(0.0, weight[select(0u, cell, isThere)], isThere);
  var dispersion = 0.0;
${unrolled(RUN, (l) => `dispersion += select(0.0, f32(2u * first + ${2 * l + 1}u) - k, first + ${l}u < parameters.members) * x${l};`)}
  let score = share * (distance - dispersion / vec2f(k, max(1.0, k - 1.0))) / k;
  exchanged[lane] = score.x;
  exchanged[${RUN_LANES}u + lane] = score.y;
  workgroupBarrier();
  for (var stride = ${RUN_LANES / 2}u; stride > 0u; stride >>= 1u) {
    if (lane < stride) {
      exchanged[lane] += exchanged[lane + stride];
      exchanged[${RUN_LANES}u + lane] += exchanged[${RUN_LANES}u + lane + stride];
    }
    workgroupBarrier();
  }
  if (lane == 0u && part < parameters.crpsParts) {
    sums[crpsAt(group.z, part)] = exchanged[0];
    sums[crpsAt(parameters.scoredCount + group.z, part)] = exchanged[${RUN_LANES}];
  }
}

fn chosen(a: f32, b: f32, isLower: bool) -> f32 {
  return select(max(a, b), min(a, b), isLower);
}
`;
