/** C and P̃ᵃ in float64, a cell after the other. */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { NEIGHBOURS } from './parameters.ts';
import type {
  AnalysisCovarianceFields,
  LetkfPartsFields,
  LetkfPartsParameters,
  ObservationWeightsFields,
} from './parameters.ts';

/** The anomaly of a neighbour of a cell, 0 beyond the edge. */
function neighbour(
  { nx, ny }: LetkfPartsParameters,
  anomalies: RealArray,
  member: number,
  cell: number,
  o: number,
): number {
  const x = (cell % nx) + (o % 3) - 1;
  const y = Math.floor(cell / nx) + Math.floor(o / 3) - 1;
  return x < 0 || x >= nx || y < 0 || y >= ny ? 0 : anomalies[(member * ny + y) * nx + x];
}

export function observationWeightsReference(
  parameters: LetkfPartsParameters,
): (arrays: ArraysOf<ObservationWeightsFields>) => void {
  const { nx, ny, members } = parameters;
  return ({ anomalies, weights, c }) => {
    for (let cell = 0, at = 0; cell < nx * ny; cell++) {
      for (let member = 0; member < members; member++) {
        for (let o = 0; o < NEIGHBOURS; o++) c[at++] = weights[o] * neighbour(parameters, anomalies, member, cell, o);
      }
    }
  };
}

/** The inverse of a symmetric positive matrix [k][k], in place. */
function invert(matrix: Float64Array, k: number): void {
  for (let p = 0; p < k; p++) {
    const d = 1 / matrix[p * k + p];
    for (let j = 0; j < k; j++) if (j !== p) matrix[p * k + j] *= d;
    for (let i = 0; i < k; i++) {
      if (i === p) continue;
      const factor = matrix[i * k + p];
      for (let j = 0; j < k; j++) if (j !== p) matrix[i * k + j] -= factor * matrix[p * k + j];
      matrix[i * k + p] = -factor * d;
    }
    matrix[p * k + p] = d;
  }
}

export function analysisCovarianceReference(
  parameters: LetkfPartsParameters,
): (arrays: ArraysOf<AnalysisCovarianceFields>) => void {
  const { nx, ny, members: k, inflation } = parameters;
  const observed = new Float64Array(NEIGHBOURS * k);
  const matrix = new Float64Array(k * k);
  return ({ anomalies, c, covariance }) => {
    for (let cell = 0; cell < nx * ny; cell++) {
      for (let o = 0; o < NEIGHBOURS; o++) {
        for (let j = 0; j < k; j++) observed[o * k + j] = neighbour(parameters, anomalies, j, cell, o);
      }
      for (let i = 0; i < k; i++) {
        for (let j = 0; j < k; j++) {
          let sum = i === j ? (k - 1) / inflation : 0;
          for (let o = 0; o < NEIGHBOURS; o++) sum += c[(cell * k + i) * NEIGHBOURS + o] * observed[o * k + j];
          matrix[i * k + j] = sum;
        }
      }
      invert(matrix, k);
      covariance.set(matrix, cell * k * k);
    }
  };
}

export function letkfPartsReference(parameters: LetkfPartsParameters): (arrays: ArraysOf<LetkfPartsFields>) => void {
  const weigh = observationWeightsReference(parameters);
  const invertAll = analysisCovarianceReference(parameters);
  return (arrays) => {
    weigh(arrays);
    invertAll(arrays);
  };
}
