/**
 * P Hᵀ of the stochastic EnKF with a tapered sample covariance [gain-gpu, evensen1994]:
 *
 *   P_HT = (C ∘ (e eᵀ)) Hᵀ / (L − 1)
 *
 * e holds the L anomalies of the ensemble, C the taper (symmetric, block Toeplitz with Toeplitz blocks, so that its first row
 * tells it all), H the observation operator in compressed rows. No n × n array is formed: only the columns that H touches
 * are sampled, of those only the rows in reach of the taper, and Hᵀ is applied in the same sum,
 *
 *   P_HT[i, j] = Σ_l e[i, l] · Σ_(nonzeros of row j) h · C(i, column) · e[column, l] / (L − 1).
 *
 * Every element has one owner, so that each run gives the same bits.
 */
import type { Operator } from '../../compute/backend.ts';
import { gainCovarianceReference } from './reference.ts';

export { taperRow } from './taper-row.ts';
export type { Taper, TaperGrid } from './taper-row.ts';

export interface GainCovarianceParameters {
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** V: the state has n = V·ny·nx elements. The taper acts on the lag in space alone, also between variables. */
  readonly variables: number;
  /** L, at least 2. */
  readonly members: number;
  /** Row of H from which on this run makes columns of P_HT. */
  readonly firstObservation: number;
  /** Columns that this run makes. */
  readonly observations: number;
  /** Stored entries in these rows of H, at most: size of the work space, nonzeros · L reals. */
  readonly nonzeros: number;
  /** Largest distance along x and y (the shorter way round where periodic) with a taper other than 0, in grid points. */
  readonly reachX: number;
  readonly reachY: number;
}

export type GainCovarianceFields = {
  /** [L][V][ny][nx], the mean already removed. */
  readonly anomalies: 'real';
  /** [ny][nx]: C between (y₁, x₁) and (y₂, x₂) is `taperRow[|y₁ − y₂|·nx + |x₁ − x₂|]`. */
  readonly taperRow: 'real';
  /** H in compressed rows: entries of row j are `indptr[j]` … `indptr[j + 1]`; columns are state elements. */
  readonly indptr: 'index';
  readonly indices: 'index';
  readonly data: 'real';
  /**
   * [observations][n], P_HT transposed: lanes run along the state, so that it is written, and read by H and by the
   * increment, in runs of neighbours. Written whole, with 0 out of reach.
   */
  readonly output: 'real';
};

/** Cells in reach of one cell. */
function cellsInReach({ nx, ny, reachX, reachY }: GainCovarianceParameters): number {
  return Math.min(nx, 2 * reachX + 1) * Math.min(ny, 2 * reachY + 1);
}

/** Columns of P_HT. Cost: 2(L + 1) operations for each nonzero of H and element in reach of it. */
export const gainCovariance: Operator<GainCovarianceParameters, GainCovarianceFields> = {
  name: 'gain-covariance',
  fields: {
    anomalies: 'real',
    taperRow: 'real',
    indptr: 'index',
    indices: 'index',
    data: 'real',
    output: 'real',
  },
  cost: (parameters, elementBytes) => {
    const { nx, ny, variables, members, observations, nonzeros } = parameters;
    const state = variables * ny * nx;
    return {
      bytes:
        elementBytes * (members * state + ny * nx + observations * state + nonzeros) +
        4 * (nonzeros + observations + 1),
      flops: 2 * (members + 1) * nonzeros * variables * cellsInReach(parameters),
    };
  },
  reference: (parameters) => gainCovarianceReference(checked(parameters)),
  webgpu: async () => {
    const { default: prepare } = await import('./webgpu.ts');
    return { default: (workshop, parameters) => prepare(workshop, checked(parameters)) };
  },
};

/** @throws RangeError with fewer than two members, which have no sample covariance */
function checked(parameters: GainCovarianceParameters): GainCovarianceParameters {
  if (parameters.members >= 2) return parameters;
  throw new RangeError(`gain-covariance: ${parameters.members} members found, a sample covariance needs at least 2`);
}
