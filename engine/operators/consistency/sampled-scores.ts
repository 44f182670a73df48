/** Scores that need an ensemble's order in each cell: the parts of the CRPS, and errors by bins of spread; of thinned cells. */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, type WasmOperator } from '../../compute/wasm/program.ts';
import { partsOf, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import { prepareMean } from '../statistics/index.ts';
import source from './scores.wgsl?raw';
import { sumParts } from './spectral-plan.ts';

const part = partsOf(source);

interface SampledScoresParameters {
  /** k, at least 2. */
  readonly members: number;
  readonly variables: number;
  readonly nx: number;
  readonly ny: number;
  /** Cells 0, stride, 2·stride, … along each axis are sampled. */
  readonly strideX: number;
  readonly strideY: number;
  /** Indices of the variables, S of them. */
  readonly scored: readonly number[];
  /** Ascending: between the bins of spread, as ratios of a cell's standard deviation to the root of the mean variance. */
  readonly edges: readonly number[];
}

const sampledScoresFields = {
  /** [members][variables][ny][nx] */
  ensemble: 'real',
  /** [variables][ny][nx] */
  truth: 'real',
  /** [ny][nx], of each cell in the means. */
  weight: 'real',
  /** [variables] */
  meanVariance: 'real',
  /** [S][rows], written: see `sampledScores`. */
  scores: 'real',
} as const;

/** How many rows of numbers a variable has, and where each kind begins. */
export function sampledRows({ members, edges }: Pick<SampledScoresParameters, 'members' | 'edges'>) {
  const gaps = members + 1;
  const bins = edges.length + 1;
  const single = 2 * gaps;
  return {
    bins,
    alpha: 0,
    beta: gaps,
    below: single,
    above: single + 1,
    uncertainty: single + 2,
    weight: single + 3,
    share: single + 4,
    variance: single + 4 + bins,
    squaredError: single + 4 + 2 * bins,
    rows: single + 4 + 3 * bins,
  };
}

const SAMPLED_SCORES = parameterBlock('SampledScores', {
  members: 'u32',
  /** Elements of a member, of a variable, of a row of cells. */
  state: 'u32',
  cells: 'u32',
  nx: 'u32',
  ny: 'part',
  strideX: 'u32',
  strideY: 'u32',
  /** Sampled rows of a variable. */
  segments: 'part',
  /** On a GPU: sampled cells of a row, and of a variable. */
  sampledX: 'u32',
  sampled: 'u32',
  /** Bins of spread. */
  bins: 'u32',
  /** Numbers of a part. */
  rows: 'u32',
  /** The variable of each scored one. */
  scored: 'pointer',
  /** Squares of the edges between the bins. */
  edges: 'pointer',
  ensemble: 'pointer',
  truth: 'pointer',
  weight: 'pointer',
  meanVariance: 'pointer',
  /** [parts][rows], float64 */
  sums: 'pointer',
});

function numbersOf(parameters: SampledScoresParameters) {
  const { members, variables, nx, ny, strideX, strideY } = parameters;
  const { bins, rows } = sampledRows(parameters);
  return { members, state: variables * nx * ny, cells: nx * ny, nx, strideX, strideY, bins, rows };
}

function squaresOf({ edges }: SampledScoresParameters): readonly number[] {
  return edges.map((edge) => edge ** 2);
}

const sampledScoresWasm: WasmOperator<SampledScoresParameters, typeof sampledScoresFields> = (builder, parameters) => {
  const { members, nx, ny, strideX, strideY, scored } = parameters;
  const { rows } = sampledRows(parameters);
  const segments = Math.ceil(ny / strideY);
  const sampled = segments * Math.ceil(nx / strideX);
  const parts = segments * scored.length;
  const sums = builder.doubles('sampled-scores.sums', parts * rows);
  const constants = {
    ...numbersOf(parameters),
    ny,
    segments,
    scored: builder.wordTable('sampled-scores.scored', scored),
    edges: builder.realTable('sampled-scores.edges', squaresOf(parameters)),
    sums: sums.address,
  };
  const program = builder.program('sampledScores', SAMPLED_SCORES, constants, 8 * members);
  return ({ ensemble, truth, weight, meanVariance, scores }) => {
    program.set(addressesOf({ ensemble, truth, weight, meanVariance }));
    program.run(parts);
    const found = sums.view();
    for (const row of scored.keys()) {
      scores.set(
        sumParts(found, segments, rows, row).map((sum) => sum / sampled),
        row * rows,
      );
    }
  };
};

const sampledScoresWebGpu: WebGpuOperator<SampledScoresParameters, typeof sampledScoresFields> = async (
  builder,
  parameters,
) => {
  const { nx, ny, strideX, strideY, scored } = parameters;
  const { rows } = sampledRows(parameters);
  const sampledX = Math.ceil(nx / strideX);
  const sampled = sampledX * Math.ceil(ny / strideY);
  const [program, recordMean] = await Promise.all([
    builder.program({
      label: 'consistency.sampled-scores',
      code: [SAMPLED_SCORES.wgsl, part('sampled-scores')],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'read', 'write'],
    }),
    prepareMean(builder, scored.length * rows, sampled, sampled),
  ]);
  const uniform = builder.uniform('sampled-parameters', SAMPLED_SCORES, {
    ...numbersOf(parameters),
    sampledX,
    sampled,
  });
  const variablesOfRows = builder.table('scored', 'index', scored);
  const squares = builder.table('edges', 'real', squaresOf(parameters));
  const terms = builder.scratch('sampled-terms', 'real', scored.length * rows * sampled);
  return (recorder, { ensemble, truth, weight, meanVariance, scores }) => {
    recorder.dispatch(
      program,
      [uniform, ensemble, truth, weight, meanVariance, variablesOfRows, squares, terms],
      [sampled, 1, scored.length],
    );
    recordMean(recorder, terms, scores);
  };
};

/**
 * By scored variable, sums over the sampled cells of w times what follows, divided by the number of sampled cells; w is a cell's
 * weight, x₁ ≤ … ≤ x_k are its members and t is its truth.
 *
 * - alpha, beta [k + 1]: how far the gap from xᵢ to xᵢ₊₁ lies below and above the truth. Gap 0 ends at x₁ and gap k begins at x_k:
 *   they have a length where the truth lies in them. [hersbach2000]
 * - below, above: 1 where the truth is below x₁, above x_k.
 * - uncertainty: half the mean over the sampled cells of w |t − t′|.
 * - weight: 1.
 * - share, variance, squared error [bins]: 1, the variance of the members (divided by k − 1) and (x̄ − t)², in the bin of the
 *   cell's standard deviation over the root of `meanVariance`.
 *
 * Cost: k² comparisons a sampled cell; the reference sorts.
 */
export const sampledScores = defineOperator<SampledScoresParameters, typeof sampledScoresFields>({
  name: 'sampled-scores',
  fields: sampledScoresFields,
  cost: ({ members, nx, ny, strideX, strideY, scored }, elementBytes) => {
    const cells = Math.ceil(nx / strideX) * Math.ceil(ny / strideY);
    return {
      bytes: elementBytes * (members + 2) * cells * scored.length,
      flops: (2 * members ** 2 + 12 * members + 3 * cells) * cells * scored.length,
    };
  },
  reference: sampledScoresReference,
  wasm: async () => sampledScoresWasm,
  webgpu: async () => sampledScoresWebGpu,
});

/** Along an axis of n cells: about a quarter of the cells, or the eighth part of few of them, and at most 32. */
export function sampleStride(n: number): number {
  return Math.max(Math.ceil(n / 32), Math.min(4, Math.max(1, Math.floor(n / 8))));
}

/** Gaps between sorted errors xᵢ − t, and where the truth lies in them. */
function addGaps(errors: Float64Array, weight: number, sums: Float64Array, at: ReturnType<typeof sampledRows>): void {
  const k = errors.length;
  const [first, last] = [errors[0], errors[k - 1]];
  if (first > 0) {
    sums[at.below] += weight;
    sums[at.beta] += weight * first;
  }
  if (last < 0) {
    sums[at.above] += weight;
    sums[at.alpha + k] -= weight * last;
  }
  for (let i = 1; i < k; i++) {
    const truth = Math.min(Math.max(0, errors[i - 1]), errors[i]);
    sums[at.alpha + i] += weight * (truth - errors[i - 1]);
    sums[at.beta + i] += weight * (errors[i] - truth);
  }
}

/** @returns mean and variance of the errors */
function momentsOf(errors: Float64Array): readonly [number, number] {
  const mean = errors.reduce((sum, error) => sum + error, 0) / errors.length;
  return [mean, errors.reduce((sum, error) => sum + (error - mean) ** 2, 0) / (errors.length - 1)];
}

/** ½ Σ w′ |t − t′| over the sampled cells. */
function distancesTo(truth: RealArray, weight: RealArray, cells: readonly number[], plane: number, t: number): number {
  return cells.reduce((sum, cell) => sum + weight[cell] * Math.abs(truth[plane + cell] - t), 0) / 2;
}

function sampledScoresReference(parameters: SampledScoresParameters) {
  const { members, variables, nx, ny, strideX, strideY, scored, edges } = parameters;
  const at = sampledRows(parameters);
  const state = variables * nx * ny;
  const sampled: number[] = [];
  for (let y = 0; y < ny; y += strideY) for (let x = 0; x < nx; x += strideX) sampled.push(y * nx + x);
  const errors = new Float64Array(members);
  return ({ ensemble, truth, weight, meanVariance, scores }: ArraysOf<typeof sampledScoresFields>): void => {
    scored.forEach((variable, row) => {
      const plane = variable * nx * ny;
      const sums = new Float64Array(at.rows);
      for (const cell of sampled) {
        const w = weight[cell];
        if (w === 0) continue;
        const t = truth[plane + cell];
        for (let l = 0; l < members; l++) errors[l] = ensemble[l * state + plane + cell] - t;
        addGaps(errors.sort(), w, sums, at);
        const [mean, variance] = momentsOf(errors);
        const bin = edges.filter((edge) => variance >= edge ** 2 * meanVariance[variable]).length;
        sums[at.uncertainty] += (w * distancesTo(truth, weight, sampled, plane, t)) / sampled.length;
        sums[at.weight] += w;
        sums[at.share + bin] += w;
        sums[at.variance + bin] += w * variance;
        sums[at.squaredError + bin] += w * mean ** 2;
      }
      scores.set(
        sums.map((sum) => sum / sampled.length),
        row * at.rows,
      );
    });
  };
}
