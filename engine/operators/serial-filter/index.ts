/**
 * The serial filter [anderson2003, whitaker2002]: scalar observations one after the other, each with the departures that those
 * before it have left. With everything scaled by R^−½, s = y_jᵀy_j/(k − 1) and d_j the departures of observation j at its turn,
 * C the Gaspari–Cohn taper [gaspari1999] of the distance, an element e of the state or of what is observed later has, by regression,
 *
 *   ē  ← ē  + C (e′ᵀy_j) d_j /((k − 1)(1 + s)),
 *   e′ ← e′ − C (e′ᵀy_j) y_j /((k − 1)(1 + s + √(1 + s))).
 *
 * `serialObservations` takes what is observed through all turns, `serialIncrement` then a state, whose elements do not need each
 * other. The square root, that of the smaller anomalies, is [whitaker2002]'s; for one scalar observation it is the adjustment of
 * [anderson2003].
 */
import type { RealArray } from '../../compute/backend.ts';
import { sampled, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { TAPER_GEOMETRY, taperBetween, taperCode, type TaperGeometry } from '../localisation/index.ts';

interface SerialParameters extends TaperGeometry {
  /** k, from 2 on. */
  readonly members: number;
  /** p */
  readonly observations: number;
}

/**
 * The turns of the observations, in their order, among themselves. A missing one, whose `inverseErrorStd` is 0, changes nothing.
 * Cost: 4k operations a pair within reach, here counted for every pair.
 */
export const serialObservations = kernelOperator({
  name: 'serial-observations',
  block: parameterBlock('SerialObservations', {
    ...TAPER_GEOMETRY,
    members: 'count',
    observations: 'count',
    /** Y′, [k][p]; then R^−½ Y′, of each observation at its turn. */
    observedAnomalies: 'write real',
    /** R^−½ (y − mean H(x)), [p]; then of each observation at its turn. */
    departures: 'write real',
    /** [p] */
    inverseErrorStd: 'read real',
    /** [p], cells. */
    positionX: 'read real',
    positionY: 'read real',
    /** d/((k − 1)(1 + s)), [p] */
    meanWeights: 'write real',
    /** 1/((k − 1)(1 + s + √(1 + s))), [p]; 0 where members do not differ, so that nothing is moved by it. */
    anomalyWeights: 'write real',
  }),
  parameters: { members: sampled },
  values: (parameters: SerialParameters) => ({ ...parameters, perHalfWidth: 1 / parameters.halfWidthCells }),
  cost: ({ members, observations }, elementBytes) => ({
    bytes: elementBytes * members * observations ** 2,
    flops: 2 * members * observations ** 2,
  }),
  reference(parameters) {
    const { members, observations: p } = parameters;
    const taper = taperBetween(parameters);
    return ({ observedAnomalies: y, departures: d, inverseErrorStd: r, positionX, positionY, ...weights }) => {
      const { meanWeights, anomalyWeights } = weights;
      for (let at = 0; at < members * p; at++) y[at] *= r[at % p];
      for (let j = 0; j < p; j++) {
        let square = 0;
        for (let l = 0; l < members; l++) square += y[l * p + j] ** 2;
        const expected = 1 + square / (members - 1);
        meanWeights[j] = d[j] / ((members - 1) * expected);
        anomalyWeights[j] = square === 0 ? 0 : 1 / ((members - 1) * (expected + Math.sqrt(expected)));
        for (let m = j + 1; m < p; m++) {
          const c = taper(positionX[m] - positionX[j], positionY[m] - positionY[j]);
          if (c !== 0)
            d[m] -= c * regress({ y, p, j, members, weight: c * anomalyWeights[j] }, y, m, p) * meanWeights[j];
        }
      }
    };
  },
  wasm: () => ({ kernel: 'serialObservations', parts: 1 }),
  webgpu: {
    code: () => [...taperCode, import('./serial-filter.wgsl?raw')],
    parts: ['observations'],
    // One workgroup: every turn waits for the one before.
    items: () => 256,
  },
});

interface Turn {
  /** R^−½ Y′, [k][p]. */
  readonly y: RealArray;
  readonly p: number;
  readonly j: number;
  readonly members: number;
  readonly weight: number;
}

/** e′ ← e′ − weight (e′ᵀy_j) y_j, of the anomalies at `at` of `values`, `stride` from member to member. @returns e′ᵀy_j before that */
function regress({ y, p, j, members, weight }: Turn, values: RealArray, at: number, stride: number): number {
  let product = 0;
  for (let l = 0; l < members; l++) product += values[l * stride + at] * y[l * p + j];
  for (let l = 0; l < members; l++) values[l * stride + at] -= weight * product * y[l * p + j];
  return product;
}

/**
 * The same turns of every element of an ensemble, in place.
 * Cost: 4k operations for each observation within reach of an element, here counted for all; members are read from cache.
 */
export const serialIncrement = kernelOperator({
  name: 'serial-increment',
  block: parameterBlock('SerialIncrement', {
    ...TAPER_GEOMETRY,
    variables: 'count',
    members: 'count',
    observations: 'count',
    /** As `serialObservations` leaves them. */
    observedAnomalies: 'read real',
    meanWeights: 'read real',
    anomalyWeights: 'read real',
    /** [p], cells. */
    positionX: 'read real',
    positionY: 'read real',
    /** [k][variables][ny][nx] */
    ensemble: 'write real',
  }),
  parameters: { members: sampled },
  values: (parameters: SerialParameters & { readonly variables: number }) => ({
    ...parameters,
    perHalfWidth: 1 / parameters.halfWidthCells,
  }),
  cost: ({ nx, ny, variables, members, observations }, elementBytes) => ({
    bytes: elementBytes * members * (2 * variables * ny * nx + observations),
    flops: 4 * members * variables * ny * nx * observations,
  }),
  reference(parameters) {
    const { nx, ny, variables, members, observations: p } = parameters;
    const [cells, stride] = [nx * ny, variables * nx * ny];
    const taper = taperBetween(parameters);
    return ({ observedAnomalies: y, meanWeights, anomalyWeights, positionX, positionY, ensemble }) => {
      for (let i = 0; i < stride; i++) {
        const cell = i % cells;
        const mean = centre(ensemble, members, i, stride);
        let moved = 0;
        for (let j = 0; j < p; j++) {
          if (anomalyWeights[j] === 0) continue;
          const c = taper((cell % nx) - positionX[j], Math.floor(cell / nx) - positionY[j]);
          if (c === 0) continue;
          moved +=
            c * regress({ y, p, j, members, weight: c * anomalyWeights[j] }, ensemble, i, stride) * meanWeights[j];
        }
        for (let l = 0; l < members; l++) ensemble[l * stride + i] += mean + moved;
      }
    };
  },
  wasm: ({ ny, variables }) => ({ kernel: 'serialIncrement', parts: ny * variables }),
  webgpu: {
    code: () => [...taperCode, import('./serial-filter.wgsl?raw')],
    parts: ['increment'],
    items: ({ nx, ny }) => nx * ny,
    layers: ({ variables }) => variables,
  },
});

/** Leaves the anomalies of an element in the place of its members, about the first so that no digits are lost. @returns their mean */
function centre(ensemble: RealArray, members: number, i: number, stride: number): number {
  let sum = 0;
  for (let l = 0; l < members; l++) sum += ensemble[l * stride + i] - ensemble[i];
  const mean = ensemble[i] + sum / members;
  for (let l = 0; l < members; l++) ensemble[l * stride + i] -= mean;
  return mean;
}
