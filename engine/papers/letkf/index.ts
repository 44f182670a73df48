/** The paper [letkf-gpu], and what its figures ask a backend. */
import type { Backend } from '../../compute/backend.ts';
import { operatorResult } from '../../benchmarks/index.ts';
import { createSymmetricEigenSolver } from '../../operators/letkf/index.ts';
import type { Paper } from '../paper.ts';
import {
  analysisCovariance,
  localInverseR,
  NEIGHBOURS,
  observationWeights,
  smoothAnomalies,
  weightedProduct,
  type LetkfPartsParameters,
} from './parts/index.ts';

export { letkfBenchmarks } from './benchmarks.ts';

export const letkfPaper: Paper = {
  id: 'letkf',
  subject: 'The LETKF on GPUs',
  authors: ['Blattner', 'Yang'],
  publication:
    'Performance study on CUDA GPUs for parallelizing the local ensemble transformed Kalman filter algorithm, Concurrency and Computation: Practice and Experience, 2012',
  key: 'letkf-gpu',
  suite: 'letkf',
  summary:
    'Each grid point of Moler’s water model has an analysis of its own, from the nine observations around it. Kernels compute C = YᵀR⁻¹ and P = C Y for all points at once; the inverse P̃ᵃ and the whole analysis follow here.',
};

export interface PointQuestion {
  /** k ≥ 2 */
  readonly members: number;
  /** σₒ > 0, standard deviation. */
  readonly observationError: number;
  /** L of the errors’ correlation exp(−d/L), cells; 0: independent. */
  readonly correlationLength: number;
  /** ρ > 0, multiplies the background covariance. */
  readonly inflation: number;
}

/** Matrices row by row. */
export interface PointAnswer {
  /** Yᵀ, the anomalies of the nine observed cells: a row is a member. [k][9] */
  readonly observed: Float64Array;
  /** R⁻¹, symmetric. [9][9] */
  readonly inverseR: Float64Array;
  /** C = YᵀR⁻¹ [k][9] */
  readonly c: Float64Array;
  /** P = C Y [k][k] */
  readonly product: Float64Array;
  /** P̃ᵃ = [(k − 1) I/ρ + P]⁻¹ [k][k] */
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

/** @returns what a field of one matrix a cell has of the middle one */
function ofMiddleCell(values: Float64Array): Float64Array {
  const length = values.length / NEIGHBOURS;
  const middle = (NEIGHBOURS - 1) / 2;
  return values.slice(middle * length, (middle + 1) * length);
}

/**
 * The analysis of one grid point in the space of the ensemble [letkf-gpu]: C, P, P̃ᵃ, its root W, and the eigenvalues behind them.
 *
 * Asks the backend for C, P and P̃ᵃ; the root and the eigenvalues follow in float64. The observations have weight 1.
 */
export async function analysePoint(backend: Backend, question: PointQuestion): Promise<PointAnswer> {
  const { members: k, observationError: standardDeviation, correlationLength, inflation } = question;
  const parameters: LetkfPartsParameters = { nx: SIDE, ny: SIDE, members: k, inflation, form: 'members' };
  const anomalies = anomaliesOf(k);
  const inverseR = localInverseR({ standardDeviation, correlationLength, halfWidth: Infinity });
  const cOfAll = await operatorResult(backend, observationWeights, parameters, {
    arrays: { anomalies, inverseR, c: NEIGHBOURS * anomalies.length },
    output: 'c',
  });
  const productOfAll = await operatorResult(backend, weightedProduct, parameters, {
    arrays: { anomalies, c: cOfAll, product: k * anomalies.length },
    output: 'product',
  });
  const covarianceOfAll = await operatorResult(backend, analysisCovariance, parameters, {
    arrays: { product: productOfAll, covariance: k * anomalies.length },
    output: 'covariance',
  });
  const [c, product, covariance] = [cOfAll, productOfAll, covarianceOfAll].map(ofMiddleCell);
  const eigen = createSymmetricEigenSolver(k);
  eigen.vectors.set(product.map((value, at) => value + (at % (k + 1) === 0 ? 1 : 0)));
  eigen.solve(k);
  const eigenvalues = eigen.values.toSorted().reverse();
  eigen.vectors.set(covariance);
  eigen.solve(k);
  const scales = eigen.values.map((value) => Math.sqrt((k - 1) * value));
  const root = covariance.map((_, at) => {
    const [i, j] = [k * Math.floor(at / k), k * (at % k)];
    return scales.reduce((sum, scale, m) => sum + scale * eigen.vectors[i + m] * eigen.vectors[j + m], 0);
  });
  return { observed: anomalies, inverseR, c, product, covariance, root, eigenvalues };
}

/** What a multiprocessor has, and in which units it gives it away: NVIDIA's published limits of a compute capability. */
interface Multiprocessor {
  readonly name: string;
  /** Threads that a block can have. */
  readonly threadsPerBlock: number;
  readonly warps: number;
  readonly blocks: number;
  readonly registers: number;
  readonly registerUnit: number;
  /** Whether registers are given to whole blocks with an even number of warps, rather than to each warp. */
  readonly registersByBlock: boolean;
  /** Bytes. */
  readonly sharedMemory: number;
  readonly sharedUnit: number;
}

/** The paper's two cards. */
export const PAPER_CARDS: readonly Multiprocessor[] = [
  {
    name: 'GTX 260 (1.3)',
    threadsPerBlock: 512,
    warps: 32,
    blocks: 8,
    registers: 16_384,
    registerUnit: 512,
    registersByBlock: true,
    sharedMemory: 16_384,
    sharedUnit: 512,
  },
  {
    name: 'GTX 460 (2.1)',
    threadsPerBlock: 1024,
    warps: 48,
    blocks: 8,
    registers: 32_768,
    registerUnit: 64,
    registersByBlock: false,
    sharedMemory: 49_152,
    sharedUnit: 128,
  },
];

const WARP = 32;

export interface Kernel {
  /** Threads in a block. */
  readonly threads: number;
  /** Registers of a thread, at least 1. */
  readonly registers: number;
  /** Bytes of shared memory of a block. */
  readonly sharedMemory: number;
}

function roundUp(value: number, unit: number): number {
  return unit * Math.ceil(value / unit);
}

/**
 * Occupancy of a multiprocessor: the warps that fit on it at once, as a share of those that it can hold [letkf-gpu].
 *
 * @returns the share of warps that are resident, from 0, where not even one block fits, to 1
 */
export function occupancy(card: Multiprocessor, { threads, registers, sharedMemory }: Kernel): number {
  if (threads > card.threadsPerBlock) return 0;
  const warps = Math.ceil(threads / WARP);
  const ofBlock = card.registersByBlock
    ? roundUp(roundUp(warps, 2) * WARP * registers, card.registerUnit)
    : warps * roundUp(WARP * registers, card.registerUnit);
  const blocks = Math.min(
    card.blocks,
    Math.floor(card.warps / warps),
    Math.floor(card.registers / ofBlock),
    sharedMemory === 0 ? Infinity : Math.floor(card.sharedMemory / roundUp(sharedMemory, card.sharedUnit)),
  );
  return (blocks * warps) / card.warps;
}
