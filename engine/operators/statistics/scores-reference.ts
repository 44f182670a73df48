/** The scores by their formulas, cell by cell. */
import type { ArraysOf } from '../../compute/backend.ts';
import type { CrpsFields, EnsembleScoresFields, EnsembleShape } from './scores.ts';

export function ensembleScoresReference({ members, variables, cells }: EnsembleShape) {
  const state = variables * cells;
  return ({ ensemble, truth, meanSquareError, meanVariance }: ArraysOf<EnsembleScoresFields>): void => {
    for (let v = 0; v < variables; v++) {
      let squares = 0;
      let variances = 0;
      for (let i = v * cells; i < (v + 1) * cells; i++) {
        // Differences first: the mean error x̄ − t, and anomalies x_l − x̄ = (x_l − t) − (x̄ − t).
        let error = 0;
        for (let l = 0; l < members; l++) error += (ensemble[l * state + i] - truth[i]) / members;
        let variance = 0;
        for (let l = 0; l < members; l++) variance += (ensemble[l * state + i] - truth[i] - error) ** 2;
        squares += error ** 2;
        variances += members === 1 ? 0 : variance / (members - 1);
      }
      meanSquareError[v] = squares / cells;
      meanVariance[v] = variances / cells;
    }
  };
}

export function crpsReference({ members, variables, cells }: EnsembleShape) {
  const state = variables * cells;
  return ({ ensemble, truth, score }: ArraysOf<CrpsFields>): void => {
    let sum = 0;
    for (let i = 0; i < cells; i++) {
      let distance = 0;
      let dispersion = 0;
      for (let l = 0; l < members; l++) {
        const x = ensemble[l * state + i];
        distance += Math.abs(x - truth[i]);
        for (let other = 0; other < l; other++) dispersion += Math.abs(x - ensemble[other * state + i]);
      }
      sum += distance / members - dispersion / members ** 2;
    }
    score[0] = sum / cells;
  };
}
