/**
 * Scores of an ensemble against the truth, as weighted means over the cells. On a GPU they have two stages: sums over 256 cells each,
 * then the mean of all of them.
 */
import type { ArraysOf } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { parameterBlock, uniformBlock } from '../../compute/parameter-block.ts';
import { addressesOf, partsFor, type WasmBuilder, type WasmOperator } from '../../compute/wasm/program.ts';
import reduction from '../../compute/webgpu/library/reduction.wgsl?raw';
import { partsOf, workgroupsFor } from '../../compute/webgpu/program.ts';
import type { KernelBuilder, Recorder, WebGpuOperator } from '../../compute/webgpu/program.ts';
import source from './scores.wgsl?raw';

const part = partsOf(source);

export interface EnsembleShape {
  /** k, from 1 on. */
  readonly members: number;
  /** V */
  readonly variables: number;
  readonly cells: number;
}

const ensembleScoresFields = {
  /** [members][variables][cells] */
  ensemble: 'real',
  /** [variables][cells] */
  truth: 'real',
  /** [cells], of each cell in the means: 1 throughout, or what `wetCells` gives. */
  weight: 'real',
  /** [variables], written: mean over the cells of (x̄ − t)². */
  meanSquareError: 'real',
  /** [variables], written: weighted mean over the cells of x̄ − t, the error of the basin's mean level; 0 if nothing is weighed. */
  meanError: 'real',
  /** [variables], written: mean over the cells of (x̄ − t − meanError)², the error of the pattern. */
  patternSquareError: 'real',
  /** [variables], written: mean over the cells of Σ (x_l − x̄)²/(k − 1); 0 for a single member. */
  meanVariance: 'real',
} as const;

interface CrpsParameters extends EnsembleShape {
  /** Indices of the variables that are scored, S of them. */
  readonly scored: readonly number[];
}

const crpsFields = {
  /** [members][variables][cells] */
  ensemble: 'real',
  /** [variables][cells] */
  truth: 'real',
  /** [cells], of each cell in the means. */
  weight: 'real',
  /** [2][S], written: the score of each scored variable, then its fair score. */
  score: 'real',
} as const;

const SCORES = parameterBlock('Scores', {
  members: 'u32',
  cells: 'u32',
  /** Elements from one member to the next. */
  state: 'part',
  /** Cells of a part, and parts of a variable. */
  segment: 'part',
  segments: 'part',
  /** On a GPU, and its parts of a variable. */
  variables: 'u32',
  parts: 'u32',
  /** The variable of each row of parts. */
  scored: 'pointer',
  ensemble: 'pointer',
  truth: 'pointer',
  weight: 'pointer',
  /** Five float64 a part of `ensembleScores`, two of `crps`. */
  sums: 'pointer',
});

/** Cells of a part; a multiple of four. */
const SCORES_SEGMENT = 1024;

interface Arrays {
  readonly ensemble: Float32Array | Float64Array;
  readonly truth: Float32Array | Float64Array;
  readonly weight: Float32Array | Float64Array;
}

interface SumsOf extends EnsembleShape {
  readonly kernel: string;
  readonly scored: readonly number[];
  /** Sums of a part. */
  readonly width: number;
  readonly scratchBytes: number;
}

/** @returns for each scored variable the sums of each of its parts */
function prepareSums(
  builder: WasmBuilder,
  { kernel, members, variables, cells, scored, width, scratchBytes }: SumsOf,
): (arrays: Arrays) => readonly (readonly Float64Array[])[] {
  const segments = partsFor(cells, SCORES_SEGMENT);
  const parts = segments * scored.length;
  const sums = builder.doubles(`${kernel}.sums`, width * parts);
  const program = builder.program(
    kernel,
    SCORES,
    {
      members,
      cells,
      state: variables * cells,
      segment: SCORES_SEGMENT,
      segments,
      scored: builder.wordTable(`${kernel}.scored`, scored),
      sums: sums.address,
    },
    scratchBytes,
  );
  return ({ ensemble, truth, weight }) => {
    program.set(addressesOf({ ensemble, truth, weight }));
    program.run(parts);
    const found = sums.view();
    return scored.map((_, row) =>
      Array.from({ length: segments }, (__, segment) => {
        const from = (row * segments + segment) * width;
        return found.subarray(from, from + width);
      }),
    );
  };
}

function sumOf(parts: readonly Float64Array[], quantity: number): number {
  let sum = 0;
  for (const part of parts) sum += part[quantity];
  return sum;
}

/**
 * Means and squares about them, joined as those of samples are [chan1983].
 *
 * @param parts of one variable: Σ w, Σ w e and Σ w (e − m)² about the part's own mean m are their last three sums
 * @returns the mean error ē, and Σ w (e − ē)²
 */
function joined(parts: readonly Float64Array[]): readonly [meanError: number, squares: number] {
  const weight = sumOf(parts, 2);
  if (!(weight > 0)) return [0, 0];
  const meanError = sumOf(parts, 3) / weight;
  let squares = 0;
  for (const [, , share, sum, own] of parts) {
    squares += own + (share > 0 ? share * (sum / share - meanError) ** 2 : 0);
  }
  return [meanError, squares];
}

const ensembleScoresWasm: WasmOperator<EnsembleShape, typeof ensembleScoresFields> = (builder, shape) => {
  const { variables, cells } = shape;
  const scored = Array.from({ length: variables }, (_, variable) => variable);
  const kernel = 'ensembleScores';
  const sumsOf = prepareSums(builder, { ...shape, kernel, scored, width: 5, scratchBytes: 4 * SCORES_SEGMENT });
  return ({ ensemble, truth, weight, ...scores }) => {
    for (const [variable, parts] of sumsOf({ ensemble, truth, weight }).entries()) {
      const [meanError, pattern] = joined(parts);
      scores.meanSquareError[variable] = sumOf(parts, 0) / cells;
      scores.meanVariance[variable] = sumOf(parts, 1) / cells;
      scores.meanError[variable] = meanError;
      scores.patternSquareError[variable] = pattern / cells;
    }
  };
};

const crpsWasm: WasmOperator<CrpsParameters, typeof crpsFields> = (builder, { scored, ...shape }) => {
  const { members: k, cells } = shape;
  const sumsOf = prepareSums(builder, { ...shape, kernel: 'crps', scored, width: 2, scratchBytes: 16 * k });
  return ({ score, ...arrays }) => {
    for (const [row, parts] of sumsOf(arrays).entries()) {
      const [distances, dispersions] = [sumOf(parts, 0), sumOf(parts, 1)];
      score[row] = (distances - dispersions / k) / (k * cells);
      score[scored.length + row] = (distances - dispersions / Math.max(1, k - 1)) / (k * cells);
    }
  };
};

const MEAN_PARAMETERS = uniformBlock('Parameters', {
  parts: 'u32',
  /** What the sum is divided by. */
  count: 'f32',
});

/** Invocations of a workgroup, and cells of a part. */
export const WORKGROUP = 256;

/** The second stage: records the means over `cells` of `rows` rows of partial sums. */
export async function prepareMean(builder: KernelBuilder, rows: number, parts: number, cells: number) {
  const program = await builder.program({
    label: 'statistics.mean-of-parts',
    code: [reduction, MEAN_PARAMETERS.wgsl, part('mean-of-parts')],
    bindings: ['uniform', 'read', 'write'],
  });
  const uniform = builder.uniform('mean-parameters', MEAN_PARAMETERS, { parts, count: cells });
  return (recorder: Recorder, from: GPUBuffer, to: GPUBuffer): void =>
    recorder.dispatch(program, [uniform, from, to], [rows]);
}

/** Partial sums of a part of a variable: see scores.wgsl. */
const QUANTITIES = 5;

const ensembleScoresWebGpu: WebGpuOperator<EnsembleShape, typeof ensembleScoresFields> = async (
  builder,
  { members, variables, cells },
) => {
  const parts = Math.ceil(cells / WORKGROUP);
  const [summing, joining] = await Promise.all([
    builder.program({
      label: 'statistics.ensemble-scores',
      code: [reduction, SCORES.wgsl, part('ensemble-scores')],
      bindings: ['uniform', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'statistics.scores-of-parts',
      code: [reduction, SCORES.wgsl, part('scores-of-parts')],
      bindings: ['uniform', 'read', 'write', 'write', 'write', 'write'],
    }),
  ]);
  const uniform = builder.uniform('parameters', SCORES, { members, variables, cells, parts });
  const sums = builder.scratch('sums', 'real', QUANTITIES * variables * parts);
  const [x, y] = workgroupsFor(cells, WORKGROUP);
  return (recorder, { ensemble, truth, weight, ...scores }) => {
    const { meanSquareError, meanVariance, meanError, patternSquareError } = scores;
    recorder.dispatch(summing, [uniform, ensemble, truth, weight, sums], [x, y, variables]);
    recorder.dispatch(
      joining,
      [uniform, sums, meanSquareError, meanVariance, meanError, patternSquareError],
      [variables],
    );
  };
};

const crpsWebGpu: WebGpuOperator<CrpsParameters, typeof crpsFields> = async (
  builder,
  { members, variables, cells, scored },
) => {
  const parts = Math.ceil(cells / WORKGROUP);
  const [program, recordMean] = await Promise.all([
    builder.program({
      label: 'statistics.crps',
      code: [reduction, SCORES.wgsl, part('crps')],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
    prepareMean(builder, 2 * scored.length, parts, cells),
  ]);
  const uniform = builder.uniform('parameters', SCORES, { members, variables, cells, parts });
  const rows = builder.table('scored', 'index', scored);
  const scores = builder.scratch('scores', 'real', 2 * scored.length * parts);
  const [x, y] = workgroupsFor(cells, WORKGROUP);
  return (recorder, { ensemble, truth, weight, score }) => {
    recorder.dispatch(program, [uniform, ensemble, truth, weight, rows, scores], [x, y, scored.length]);
    recordMean(recorder, scores, score);
  };
};

/** From this many members on, the typed array's own sort is faster than insertion. */
const MANY_MEMBERS = 64;

/** The scores by their formulas, cell by cell. */
function ensembleScoresReference({ members, variables, cells }: EnsembleShape) {
  const state = variables * cells;
  const errors = new Float64Array(cells);
  return ({ ensemble, truth, weight, ...scores }: ArraysOf<typeof ensembleScoresFields>): void => {
    for (let v = 0; v < variables; v++) {
      let [shares, sum, squares, variances] = [0, 0, 0, 0];
      for (let cell = 0; cell < cells; cell++) {
        const i = v * cells + cell;
        // Differences first: the mean error x̄ − t, and anomalies x_l − x̄ = (x_l − t) − (x̄ − t).
        let error = 0;
        for (let l = 0; l < members; l++) error += (ensemble[l * state + i] - truth[i]) / members;
        let variance = 0;
        for (let l = 0; l < members; l++) variance += (ensemble[l * state + i] - truth[i] - error) ** 2;
        errors[cell] = error;
        shares += weight[cell];
        sum += weight[cell] * error;
        squares += weight[cell] * error ** 2;
        variances += members === 1 ? 0 : (weight[cell] * variance) / (members - 1);
      }
      const meanError = shares > 0 ? sum / shares : 0;
      let pattern = 0;
      for (let cell = 0; cell < cells; cell++) pattern += weight[cell] * (errors[cell] - meanError) ** 2;
      scores.meanSquareError[v] = squares / cells;
      scores.meanError[v] = meanError;
      scores.patternSquareError[v] = pattern / cells;
      scores.meanVariance[v] = variances / cells;
    }
  };
}

/** Ascending, in place: by insertion while there are few. */
function sort(values: Float64Array): void {
  if (values.length >= MANY_MEMBERS) {
    values.sort();
    return;
  }
  for (let l = 1; l < values.length; l++) {
    const value = values[l];
    let at = l;
    for (; at > 0 && values[at - 1] > value; at--) values[at] = values[at - 1];
    values[at] = value;
  }
}

function crpsReference({ members: k, variables, cells, scored }: CrpsParameters) {
  const state = variables * cells;
  const errors = new Float64Array(k);
  return ({ ensemble, truth, weight, score }: ArraysOf<typeof crpsFields>): void => {
    scored.forEach((variable, row) => {
      let distances = 0;
      let dispersions = 0;
      for (let cell = 0; cell < cells; cell++) {
        if (weight[cell] === 0) continue;
        const i = variable * cells + cell;
        let distance = 0;
        for (let l = 0; l < k; l++) {
          errors[l] = ensemble[l * state + i] - truth[i];
          distance += Math.abs(errors[l]);
        }
        sort(errors);
        // Σ over pairs of |x_i − x_j|: the l-th smallest is the larger one of l pairs and the smaller one of k − 1 − l.
        let dispersion = 0;
        for (let l = 0; l < k; l++) dispersion += (2 * l + 1 - k) * errors[l];
        distances += weight[cell] * distance;
        dispersions += weight[cell] * dispersion;
      }
      score[row] = (distances - dispersions / k) / (k * cells);
      score[scored.length + row] = (distances - dispersions / Math.max(1, k - 1)) / (k * cells);
    });
  };
}

/** The mean square error of the ensemble mean and the mean ensemble variance of each variable. Reads the ensemble once. */
export const ensembleScores = defineOperator<EnsembleShape, typeof ensembleScoresFields>({
  name: 'ensemble-scores',
  fields: ensembleScoresFields,
  cost: ({ members, variables, cells }, elementBytes) => ({
    bytes: elementBytes * ((members + 1) * variables + 1) * cells,
    flops: (6 * members + 6) * variables * cells,
  }),
  reference: ensembleScoresReference,
  wasm: async () => ensembleScoresWasm,
  webgpu: async () => ensembleScoresWebGpu,
});

/**
 * Mean over the cells of the continuous ranked probability score, with the ensemble's empirical distribution function as
 * forecast [hersbach2000]:
 *
 *   CRPS = 1/k Σ_i |x_i − t| − 1/(2k²) Σ_i Σ_j |x_i − x_j|,
 *
 * the mean absolute error for one member; and of its fair form [ferro2014], the second sum divided by 2k(k − 1), whose
 * expectation does not depend on the number of members (for one member it is taken as the same mean absolute error).
 * Cost: stated for every pair once, unsorted; the reference sorts.
 */
export const crps = defineOperator<CrpsParameters, typeof crpsFields>({
  name: 'crps',
  fields: crpsFields,
  cost: ({ members, cells, scored }, elementBytes) => ({
    bytes: elementBytes * ((members + 1) * scored.length + 1) * cells,
    flops: (members ** 2 + 2 * members) * cells * scored.length,
  }),
  reference: crpsReference,
  wasm: async () => crpsWasm,
  webgpu: async () => crpsWebGpu,
});
