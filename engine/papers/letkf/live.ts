/** The analysis of one grid point in the space of the ensemble [letkf-gpu]: C, P̃ᵃ, its root W, and the eigenvalues behind them. */
import type { Backend } from '../../compute/backend.ts';
import { operatorResult } from '../../benchmarks/index.ts';
import { createSymmetricEigenSolver } from '../../operators/letkf/index.ts';
import {
  analysisCovariance,
  NEIGHBOURS,
  observationWeights,
  smoothAnomalies,
  type LetkfPartsParameters,
} from './parts/index.ts';

export interface PointQuestion {
  /** k ≥ 2 */
  readonly members: number;
  /** σₒ > 0, standard deviation. */
  readonly observationError: number;
  /** ρ > 0, multiplies the background covariance. */
  readonly inflation: number;
}

/** Matrices row by row. */
export interface PointAnswer {
  /** Yᵀ, the anomalies of the nine observed cells: a row is a member. [k][9] */
  readonly observed: Float64Array;
  /** C = YᵀR⁻¹ [k][9] */
  readonly c: Float64Array;
  /** P̃ᵃ = [(k − 1) I/ρ + C Y]⁻¹ [k][k] */
  readonly covariance: Float64Array;
  /** W = [(k − 1) P̃ᵃ]^½, symmetric. [k][k] */
  readonly root: Float64Array;
  /** Eigenvalues of I + YᵀR⁻¹Y, the largest first. [k] */
  readonly eigenvalues: Float64Array;
}

/** Cells a side of the grid, of which the middle one is analysed. */
const SIDE = 3;
/** Points of the smooth ensemble from one cell to the next, so that the nine differ. */
const SPACING = 8;

/** Anomalies on 3 × 3 cells. [k][9] */
function anomaliesOf(members: number): Float64Array {
  const points = SPACING * (SIDE - 1) + 1;
  const fine = smoothAnomalies(points, members);
  return Float64Array.from({ length: members * NEIGHBOURS }, (_, at) => {
    const [member, o] = [Math.floor(at / NEIGHBOURS), at % NEIGHBOURS];
    return fine[(member * points + SPACING * Math.floor(o / SIDE)) * points + SPACING * (o % SIDE)];
  });
}

/** Asks the backend for C and P̃ᵃ; their root and eigenvalues follow in float64. The observations have weight 1. */
export async function analysePoint(
  backend: Backend,
  { members: k, observationError, inflation }: PointQuestion,
): Promise<PointAnswer> {
  const parameters: LetkfPartsParameters = { nx: SIDE, ny: SIDE, members: k, inflation, form: 'members' };
  const anomalies = anomaliesOf(k);
  const weights = new Float64Array(NEIGHBOURS).fill(observationError ** -2);
  const ofAll = await operatorResult(backend, observationWeights, parameters, {
    arrays: { anomalies, weights, c: NEIGHBOURS * anomalies.length },
    output: 'c',
  });
  const covariances = await operatorResult(backend, analysisCovariance, parameters, {
    arrays: { anomalies, c: ofAll, covariance: k * anomalies.length },
    output: 'covariance',
  });
  const middle = (NEIGHBOURS - 1) / 2;
  const c = ofAll.slice(middle * anomalies.length, (middle + 1) * anomalies.length);
  const covariance = covariances.slice(middle * k * k, (middle + 1) * k * k);
  const product = Float64Array.from({ length: k * k }, (_, at) => {
    const [i, j] = [NEIGHBOURS * Math.floor(at / k), NEIGHBOURS * (at % k)];
    let sum = i === j ? 1 : 0;
    for (let o = 0; o < NEIGHBOURS; o++) sum += c[i + o] * anomalies[j + o];
    return sum;
  });
  const eigen = createSymmetricEigenSolver(k);
  eigen.vectors.set(product);
  eigen.solve(k);
  const eigenvalues = eigen.values.toSorted().reverse();
  eigen.vectors.set(covariance);
  eigen.solve(k);
  const scales = eigen.values.map((value) => Math.sqrt((k - 1) * value));
  const root = covariance.map((_, at) => {
    const [i, j] = [k * Math.floor(at / k), k * (at % k)];
    return scales.reduce((sum, scale, m) => sum + scale * eigen.vectors[i + m] * eigen.vectors[j + m], 0);
  });
  return { observed: anomalies, c, covariance, root, eigenvalues };
}
