/** Both by their formulas, pair by pair, as far as the taper reaches. */
import type { ArraysOf } from '../../compute/backend.ts';
import { taperBetween } from '../localisation/index.ts';
import type { TaperGeometry } from '../localisation/index.ts';

export interface ObservedEnsembleCovarianceParameters extends TaperGeometry {
  /** k, from 2 on. */
  readonly members: number;
  /** p */
  readonly observations: number;
  /** ρ */
  readonly inflation: number;
  /**
   * Whether the matrix already has S of the observations whose `inverseErrorStd` is 0 here, with whole rows for all observations,
   * and keeps it. What one of those has with another observation is then in the other's row, and the lower triangle gets it.
   */
  readonly keepsOthers?: boolean;
}

export type ObservedEnsembleCovarianceFields = {
  /** Y′, [k][p]. */
  readonly observedAnomalies: 'real';
  /** [p] */
  readonly inverseErrorStd: 'real';
  /** [p], cells. */
  readonly positionX: 'real';
  readonly positionY: 'real';
  /** S, [p][p], written: the lower triangle with the diagonal, which is what `choleskySolution` reads. */
  readonly matrix: 'real';
};

export interface ObservedEnsembleGainParameters extends TaperGeometry {
  readonly variables: number;
  /** k, from 2 on. */
  readonly members: number;
  /** p: all observations. */
  readonly observations: number;
  /** The block's first observation, and how many it has. */
  readonly firstObservation: number;
  readonly blockObservations: number;
  /** Whether the columns of observations whose `inverseErrorStd` is 0 stay as they are; they are 0 otherwise. */
  readonly keepsOthers?: boolean;
}

export type ObservedEnsembleGainFields = {
  /** X′, [k][variables][ny][nx]. */
  readonly anomalies: 'real';
  /** Y′, [k][p]. */
  readonly observedAnomalies: 'real';
  /** [p] */
  readonly inverseErrorStd: 'real';
  /** [p], cells. */
  readonly positionX: 'real';
  readonly positionY: 'real';
  /** [blockObservations][variables][ny][nx], P Sᵀ transposed as `gainCovariance` writes it; 0 out of reach. */
  readonly output: 'real';
};

export function observedEnsembleCovarianceReference(parameters: ObservedEnsembleCovarianceParameters) {
  const { members, observations: p, inflation, keepsOthers = false } = parameters;
  const taper = taperBetween(parameters);
  return (arrays: ArraysOf<ObservedEnsembleCovarianceFields>): void => {
    const { observedAnomalies: y, inverseErrorStd: r, positionX, positionY, matrix } = arrays;
    for (let a = 0; a < p; a++) {
      for (let b = 0; b <= a; b++) {
        if (keepsOthers && (r[a] === 0 || r[b] === 0)) {
          if (r[b] !== 0) matrix[a * p + b] = matrix[b * p + a];
          continue;
        }
        const scale = (inflation * r[a] * r[b]) / (members - 1);
        const c = scale === 0 ? 0 : scale * taper(positionX[a] - positionX[b], positionY[a] - positionY[b]);
        let product = 0;
        if (c !== 0) for (let l = 0; l < members; l++) product += y[l * p + a] * y[l * p + b];
        matrix[a * p + b] = (a === b ? 1 : 0) + c * product;
      }
    }
  };
}

export function observedEnsembleGainReference(parameters: ObservedEnsembleGainParameters) {
  const { nx, ny, variables, members, observations: p, firstObservation, blockObservations } = parameters;
  const { keepsOthers = false } = parameters;
  const cells = nx * ny;
  const state = variables * cells;
  const taper = taperBetween(parameters);
  return (arrays: ArraysOf<ObservedEnsembleGainFields>): void => {
    const { anomalies: e, observedAnomalies: y, inverseErrorStd: r, positionX, positionY, output } = arrays;
    for (let row = 0; row < blockObservations; row++) {
      const j = firstObservation + row;
      if (keepsOthers && r[j] === 0) continue;
      output.fill(0, row * state, (row + 1) * state);
      if (r[j] === 0) continue;
      for (let cell = 0; cell < cells; cell++) {
        const c = (r[j] / (members - 1)) * taper((cell % nx) - positionX[j], Math.floor(cell / nx) - positionY[j]);
        if (c === 0) continue;
        for (let v = 0; v < variables; v++) {
          const i = v * cells + cell;
          let product = 0;
          for (let l = 0; l < members; l++) product += e[l * state + i] * y[l * p + j];
          output[row * state + i] = c * product;
        }
      }
    }
  };
}
