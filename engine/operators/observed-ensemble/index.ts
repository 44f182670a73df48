/**
 * The tapered sample covariance seen through the members' observations Y′ = H(x_l) − mean, H linear or not:
 *
 *   S = I + ρ R^−½ (C ∘ Y′Y′ᵀ/(k − 1)) R^−½   (`observedEnsembleCovariance`),
 *   P Sᵀ = (C ∘ X′Y′ᵀ/(k − 1)) R^−½           (`observedEnsembleGain`),
 *
 * C the Gaspari–Cohn taper [gaspari1999] of the distance between two observations, or an observation and a cell. `inverseErrorStd`
 * is the diagonal of R^−½; an observation where it is 0 has the row and column of the identity, and no gain. C is positive
 * semidefinite, and S positive definite, where twice the half-width is at most half of each periodic axis.
 *
 * With `keepsOthers` both add to what `gainCovariance` and `observedCovariance` have made of other observations, those that are
 * linear in the state: what is observed is then a further part of the state, with places of its own, and S its covariance.
 */
import { sampled, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { TAPER_GEOMETRY, taperBetween, taperCode, type TaperGeometry } from '../localisation/index.ts';

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

/** S. Cost: 2k operations a pair, counted for every pair. */
export const observedEnsembleCovariance = kernelOperator({
  name: 'observed-ensemble-covariance',
  block: parameterBlock('ObservedEnsembleCovariance', {
    ...TAPER_GEOMETRY,
    members: 'count',
    observations: 'count',
    inflation: 'f32',
    keepsOthers: 'flag',
    /** Y′, [k][p]. */
    observedAnomalies: 'read real',
    /** [p] */
    inverseErrorStd: 'read real',
    /** [p], cells. */
    positionX: 'read real',
    positionY: 'read real',
    /** S, [p][p]: the lower triangle with the diagonal, which is what `choleskySolution` reads. */
    matrix: 'write real',
  }),
  parameters: { members: sampled },
  values: ({ keepsOthers = false, ...parameters }: ObservedEnsembleCovarianceParameters) => ({
    ...parameters,
    perHalfWidth: 1 / parameters.halfWidthCells,
    keepsOthers,
  }),
  cost: ({ members, observations }, elementBytes) => ({
    bytes: elementBytes * (members * observations + observations ** 2 / 2),
    flops: members * observations ** 2,
  }),
  reference(parameters) {
    const { members, observations: p, inflation, keepsOthers = false } = parameters;
    const taper = taperBetween(parameters);
    return ({ observedAnomalies: y, inverseErrorStd: r, positionX, positionY, matrix }) => {
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
  },
  wasm: ({ observations }) => ({ kernel: 'observedEnsembleCovariance', parts: observations }),
  webgpu: {
    code: () => [...taperCode, import('./observed-ensemble.wgsl?raw')],
    parts: ['covariance'],
    items: ({ observations }) => observations,
    layers: ({ observations }) => observations,
  },
});

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

/** Columns of P Sᵀ. Cost: 2k operations for each observation and element of the state within reach, here counted for all. */
export const observedEnsembleGain = kernelOperator({
  name: 'observed-ensemble-gain',
  block: parameterBlock('ObservedEnsembleGain', {
    ...TAPER_GEOMETRY,
    members: 'count',
    observations: 'count',
    variables: 'count',
    firstObservation: 'u32',
    keepsOthers: 'flag',
    /** X′, [k][variables][ny][nx]. */
    anomalies: 'read real',
    /** Y′, [k][p]. */
    observedAnomalies: 'read real',
    /** [p] */
    inverseErrorStd: 'read real',
    /** [p], cells. */
    positionX: 'read real',
    positionY: 'read real',
    /** [blockObservations][variables][ny][nx], P Sᵀ transposed as `gainCovariance` writes it; 0 out of reach. */
    output: 'write real',
  }),
  parameters: { members: sampled },
  values: ({ keepsOthers = false, ...parameters }: ObservedEnsembleGainParameters) => ({
    ...parameters,
    perHalfWidth: 1 / parameters.halfWidthCells,
    keepsOthers,
  }),
  cost: ({ nx, ny, variables, members, blockObservations }, elementBytes) => {
    const state = variables * ny * nx;
    return {
      bytes: elementBytes * (members * state + blockObservations * (members + state)),
      flops: 2 * members * state * blockObservations,
    };
  },
  reference(parameters) {
    const { nx, ny, variables, members, observations: p, firstObservation, blockObservations } = parameters;
    const { keepsOthers = false } = parameters;
    const cells = nx * ny;
    const state = variables * cells;
    const taper = taperBetween(parameters);
    return ({ anomalies: e, observedAnomalies: y, inverseErrorStd: r, positionX, positionY, output }) => {
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
  },
  wasm: ({ blockObservations }) => ({ kernel: 'observedEnsembleGain', parts: blockObservations }),
  webgpu: {
    code: () => [...taperCode, import('./observed-ensemble.wgsl?raw')],
    parts: ['gain'],
    items: ({ nx, ny }) => nx * ny,
    layers: ({ blockObservations }) => blockObservations,
  },
});
