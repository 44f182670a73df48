/** Scores of an ensemble against the truth, as weighted means over the cells. */
import type { ArraysOf } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { addressesOf, partsFor, type WasmBuilder, type WasmOperator } from '../../compute/wasm/program.ts';
import { ensembleMean } from '../ensemble/index.ts';
import {
  SCORES,
  ensembleScoresFields,
  scoresLayout,
  type EnsembleShape,
  type ScoresParameters,
} from './scores-parameters.ts';
import { ensembleScoresWebGpu } from './scores-webgpu.ts';

export { scoresLayout, type EnsembleShape } from './scores-parameters.ts';

/** Cells of a part; a multiple of those of a block. */
const SCORES_SEGMENT = 1024;

/** Cells whose members are read together, as in statistics.as.ts. */
const BLOCK_CELLS = 16;

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

type Averaging = Awaited<ReturnType<NonNullable<typeof ensembleMean.implementations.wasm>>>;

/** @param averaging of `ensembleMean` */
function ensembleScoresWasm(
  averaging: Averaging,
  builder: WasmBuilder,
  parameters: ScoresParameters,
): ReturnType<WasmOperator<ScoresParameters, typeof ensembleScoresFields>> {
  const { members: k, variables, cells, scored } = parameters;
  const average = averaging(builder, { members: k, length: variables * cells });
  if (!average) return undefined;
  const at = scoresLayout(parameters);
  const all = Array.from({ length: variables }, (_, variable) => variable);
  const kernel = 'ensembleScores';
  const blockBytes = 4 * BLOCK_CELLS * k;
  const scratchBytes = 4 * SCORES_SEGMENT + blockBytes;
  const sumsOf = prepareSums(builder, { ...parameters, kernel, scored: all, width: 5, scratchBytes });
  const distancesOf =
    scored.length > 0
      ? prepareSums(builder, { ...parameters, kernel: 'crps', width: 2, scratchBytes: blockBytes })
      : () => [];
  return ({ mean, scores, ...arrays }) => {
    average({ ensemble: arrays.ensemble, mean });
    for (const [variable, parts] of sumsOf(arrays).entries()) {
      const [meanError, pattern] = joined(parts);
      scores[at.meanVariance + variable] = sumOf(parts, 1) / cells;
      scores[at.meanSquareError + variable] = sumOf(parts, 0) / cells;
      scores[at.meanError + variable] = meanError;
      scores[at.patternSquareError + variable] = pattern / cells;
    }
    for (const [row, parts] of distancesOf(arrays).entries()) {
      const [distances, dispersions] = [sumOf(parts, 0), sumOf(parts, 1)];
      scores[at.crps + row] = (distances - dispersions / k) / (k * cells);
      scores[at.fairCrps + row] = (distances - dispersions / Math.max(1, k - 1)) / (k * cells);
    }
  };
}

/** From this many members on, the typed array's own sort is faster than insertion. */
const MANY_MEMBERS = 64;

/** Errors and variances by their formulas, cell by cell. */
function errorsReference(parameters: ScoresParameters) {
  const { members, variables, cells } = parameters;
  const at = scoresLayout(parameters);
  const state = variables * cells;
  const errors = new Float64Array(cells);
  return ({ ensemble, truth, weight, scores }: ArraysOf<typeof ensembleScoresFields>): void => {
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
      scores[at.meanVariance + v] = variances / cells;
      scores[at.meanSquareError + v] = squares / cells;
      scores[at.meanError + v] = meanError;
      scores[at.patternSquareError + v] = pattern / cells;
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

function crpsReference(parameters: ScoresParameters) {
  const { members: k, variables, cells, scored } = parameters;
  const at = scoresLayout(parameters);
  const state = variables * cells;
  const errors = new Float64Array(k);
  return ({ ensemble, truth, weight, scores }: ArraysOf<typeof ensembleScoresFields>): void => {
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
      scores[at.crps + row] = (distances - dispersions / k) / (k * cells);
      scores[at.fairCrps + row] = (distances - dispersions / Math.max(1, k - 1)) / (k * cells);
    });
  };
}

function ensembleScoresReference(parameters: ScoresParameters) {
  const { members, variables, cells } = parameters;
  const average = ensembleMean.implementations.reference({ members, length: variables * cells });
  const errors = errorsReference(parameters);
  const scores = crpsReference(parameters);
  return (arrays: ArraysOf<typeof ensembleScoresFields>): void => {
    average(arrays);
    errors(arrays);
    scores(arrays);
  };
}

/**
 * The ensemble's mean, the errors of it and the mean variance of each variable; and of chosen variables the mean over the cells of
 * the continuous ranked probability score, with the ensemble's empirical distribution function as forecast [hersbach2000]:
 *
 *   CRPS = 1/k Σ_i |x_i − t| − 1/(2k²) Σ_i Σ_j |x_i − x_j|,
 *
 * the mean absolute error for one member; and of its fair form [ferro2014], the second sum divided by 2k(k − 1), whose
 * expectation does not depend on the number of members (for one member it is taken as the same mean absolute error).
 * Cost: the ensemble is read once, later times from cache. Members are sorted; on wasm from 48 on, below that every pair is counted.
 */
export const ensembleScores = defineOperator<ScoresParameters, typeof ensembleScoresFields>({
  name: 'ensemble-scores',
  fields: ensembleScoresFields,
  cost: ({ members, variables, cells, scored }, elementBytes) => ({
    bytes: elementBytes * ((members + 2) * variables + 1) * cells,
    flops: ((8 * members + 6) * variables + members * (Math.log2(members) ** 2 / 2 + 6) * scored.length) * cells,
  }),
  reference: ensembleScoresReference,
  wasm: async () => {
    const averaging = await ensembleMean.implementations.wasm?.();
    return (builder, parameters) => averaging && ensembleScoresWasm(averaging, builder, parameters);
  },
  webgpu: async () => ensembleScoresWebGpu,
});
