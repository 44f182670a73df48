/** Scores of an ensemble against the truth, as weighted means over the cells. */
import { defineOperator } from '../../compute/define-operator.ts';
import type { EnsembleShape, EnsembleScoresFields, CrpsParameters, CrpsFields } from './parameters.ts';
import type { ArraysOf } from '../../compute/backend.ts';

/** From this many members on, the typed array's own sort is faster than insertion. */
const MANY_MEMBERS = 64;

/** The scores by their formulas, cell by cell. */
function ensembleScoresReference({ members, variables, cells }: EnsembleShape) {
  const state = variables * cells;
  const errors = new Float64Array(cells);
  return ({ ensemble, truth, weight, ...scores }: ArraysOf<EnsembleScoresFields>): void => {
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
  return ({ ensemble, truth, weight, score }: ArraysOf<CrpsFields>): void => {
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
export const ensembleScores = defineOperator<EnsembleShape, EnsembleScoresFields>({
  name: 'ensemble-scores',
  fields: {
    ensemble: 'real',
    truth: 'real',
    weight: 'real',
    meanSquareError: 'real',
    meanError: 'real',
    patternSquareError: 'real',
    meanVariance: 'real',
  },
  cost: ({ members, variables, cells }, elementBytes) => ({
    bytes: elementBytes * ((members + 1) * variables + 1) * cells,
    flops: (6 * members + 6) * variables * cells,
  }),
  reference: ensembleScoresReference,
  wasm: async () => (await import('./wasm.ts')).ensembleScores,
  webgpu: async () => (await import('./webgpu.ts')).ensembleScores,
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
export const crps = defineOperator<CrpsParameters, CrpsFields>({
  name: 'crps',
  fields: { ensemble: 'real', truth: 'real', weight: 'real', score: 'real' },
  cost: ({ members, cells, scored }, elementBytes) => ({
    bytes: elementBytes * ((members + 1) * scored.length + 1) * cells,
    flops: (members ** 2 + 2 * members) * cells * scored.length,
  }),
  reference: crpsReference,
  wasm: async () => (await import('./wasm.ts')).crps,
  webgpu: async () => (await import('./webgpu.ts')).crps,
});
