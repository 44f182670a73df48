/** The paper [gain-gpu], and what its figures ask a backend. */
import type { Backend } from '../../compute/backend.ts';
import { operatorResult, someNumbers } from '../../benchmarks/index.ts';
import { gainCovariance } from '../../operators/gain-covariance/index.ts';
import { taperRow } from '../../operators/localisation/index.ts';
import { bilinearStencil } from '../../operators/observation/index.ts';
import { recursiveFilter } from '../../operators/recursive-filter/index.ts';
import type { Paper } from '../paper.ts';

export { gainCovarianceBenchmarks } from './benchmarks.ts';

export const gainCovariancePaper: Paper = {
  id: 'gain-covariance',
  subject: 'The gain of the EnKF',
  authors: ['Liu', 'Liang', 'Li'],
  publication: '',
  key: 'gain-gpu',
  suite: 'gain-covariance',
  summary:
    'P_HT, the localised covariance between state and observations, needs only the columns of the taper that H touches. The taper is block Toeplitz: its first row determines it.',
};

export interface GainQuestion {
  /** Cells a side; n is their square. */
  readonly side: number;
  /** L ≥ 2 */
  readonly members: number;
  /** m ≥ 1 */
  readonly observations: number;
  /** c > 0: the taper is 0 from 2c cells on. */
  readonly halfWidth: number;
}

/** Matrices row by row. */
export interface GainAnswer {
  /** Places of the observations, cells. [m] */
  readonly x: Float64Array;
  readonly y: Float64Array;
  /** H, bilinear. [m][n] */
  readonly h: Float64Array;
  /** The first row of C, which determines it. [n] */
  readonly taperRow: Float64Array;
  /** C, block Toeplitz with Toeplitz blocks. [n][n] */
  readonly taper: Float64Array;
  /** e eᵀ/(L − 1) [n][n] */
  readonly sample: Float64Array;
  /** C ∘ e eᵀ/(L − 1) [n][n] */
  readonly tapered: Float64Array;
  /** [n][m] */
  readonly pht: Float64Array;
}

/** Length of the waves of the members, cells. */
const SMOOTHING = 1.6;

/** A sparse matrix in compressed rows. */
interface Rows {
  readonly indptr: Uint32Array;
  readonly indices: Uint32Array;
  readonly data: Float64Array;
}

/** @returns [columns][rows] of an array [rows][columns] */
function transposed(values: Float64Array, rows: number, columns: number): Float64Array {
  return values.map((_, at) => values[(at % rows) * columns + Math.floor(at / rows)]);
}

/** Smooth anomalies whose mean is 0 in each cell. [L][n] */
async function anomaliesOf(backend: Backend, { side, members }: GainQuestion): Promise<Float64Array> {
  const cells = side ** 2;
  const noise = someNumbers(members * cells, 1, 7);
  const smooth = await operatorResult(
    backend,
    recursiveFilter,
    {
      nx: side,
      ny: side,
      batch: members,
      sigmaX: SMOOTHING,
      sigmaY: SMOOTHING,
      iterations: 6,
      form: 'auto',
      transpose: false,
      boundaryX: 'free',
      boundaryY: 'free',
    },
    { arrays: { input: noise, output: noise.length }, output: 'output' },
  );
  const mean = Float64Array.from({ length: cells }, (_, cell) => {
    let sum = 0;
    for (let l = 0; l < members; l++) sum += smooth[l * cells + cell];
    return sum / members;
  });
  return smooth.map((value, at) => value - mean[at % cells]);
}

/**
 * P_HT of a small basin, with everything that it is made of [gain-gpu]: H, the taper, and the sample covariance before and after it.
 *
 * Computes P_HT and its parts, all by the operator of P_HT: with H = I it gives the covariance itself.
 */
export async function gainOfBasin(backend: Backend, question: GainQuestion): Promise<GainAnswer> {
  const { side, members, observations, halfWidth } = question;
  const cells = side ** 2;
  const grid = { nx: side, ny: side, periodicX: false, periodicY: false };
  const anomalies = await anomaliesOf(backend, question);
  const taper = taperRow({ ...grid, halfWidthCells: halfWidth });
  const covariance = ({ indptr, indices, data }: Rows, row: Float64Array, reachX: number, reachY: number) =>
    operatorResult(
      backend,
      gainCovariance,
      {
        ...grid,
        variables: 1,
        members,
        firstObservation: 0,
        observations: indptr.length - 1,
        nonzeros: data.length,
        reachX,
        reachY,
      },
      {
        arrays: { anomalies, taperRow: row, indptr, indices, data, output: (indptr.length - 1) * cells },
        output: 'output',
      },
    );
  const identity: Rows = {
    indptr: Uint32Array.from({ length: cells + 1 }, (_, row) => row),
    indices: Uint32Array.from({ length: cells }, (_, row) => row),
    data: new Float64Array(cells).fill(1),
  };
  const [x, y] = [11, 12].map((seed) =>
    someNumbers(observations, 0.5, seed).map((place) => (place + 0.5) * (side - 1)),
  );
  const { corners, weights } = bilinearStencil(grid, x, y);
  const matrix: Rows = {
    indptr: Uint32Array.from({ length: observations + 1 }, (_, row) => 4 * row),
    indices: corners,
    data: weights,
  };
  const h = new Float64Array(observations * cells);
  for (const [entry, column] of corners.entries()) h[Math.floor(entry / 4) * cells + column] += weights[entry];
  const sample = await covariance(identity, new Float64Array(cells).fill(1), side - 1, side - 1);
  const tapered = await covariance(identity, taper.row, taper.reachX, taper.reachY);
  const pht = await covariance(matrix, taper.row, taper.reachX, taper.reachY);
  const lag = (i: number, j: number): number =>
    Math.abs(Math.floor(i / side) - Math.floor(j / side)) * side + Math.abs((i % side) - (j % side));
  return {
    x,
    y,
    h,
    taperRow: taper.row,
    taper: Float64Array.from({ length: cells ** 2 }, (_, at) => taper.row[lag(Math.floor(at / cells), at % cells)]),
    sample,
    tapered,
    pht: transposed(pht, observations, cells),
  };
}
