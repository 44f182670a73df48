/** P_HT by its formula, a nonzero of H after the other, over the rows in reach. */
import type { ArraysOf } from '../../compute/backend.ts';

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

export const gainCovarianceFields = {
  /** [L][V][ny][nx], the mean already removed. */
  anomalies: 'real',
  /** [ny][nx]: C between (y₁, x₁) and (y₂, x₂) is `taperRow[|y₁ − y₂|·nx + |x₁ − x₂|]`. */
  taperRow: 'real',
  /** H in compressed rows: entries of row j are `indptr[j]` … `indptr[j + 1]`; columns are state elements. */
  indptr: 'index',
  indices: 'index',
  data: 'real',
  /**
   * [observations][n], P_HT transposed: lanes run along the state, so that it is written, and read by H and by the
   * increment, in runs of neighbours. Written whole, with 0 out of reach.
   */
  output: 'real',
} as const;

export function gainCovarianceReference({
  nx,
  ny,
  periodicX,
  periodicY,
  variables,
  members,
  firstObservation,
  observations,
  reachX,
  reachY,
}: GainCovarianceParameters): (arrays: ArraysOf<typeof gainCovarianceFields>) => void {
  const cells = nx * ny;
  const state = variables * cells;
  const rowsInReach = neighbours(ny, reachY, periodicY);
  const columnsInReach = neighbours(nx, reachX, periodicX);
  return ({ anomalies: e, taperRow, indptr, indices, data, output }) => {
    output.fill(0);
    for (let j = 0; j < observations; j++) {
      const row = firstObservation + j;
      for (let entry = indptr[row]; entry < indptr[row + 1]; entry++) {
        const column = indices[entry];
        const h = data[entry] / (members - 1);
        const cellX = column % nx;
        const cellY = Math.floor((column % cells) / nx);
        for (let v = 0; v < variables; v++) {
          for (const y of rowsInReach(cellY)) {
            for (const x of columnsInReach(cellX)) {
              const i = v * cells + y * nx + x;
              const c = taperRow[Math.abs(y - cellY) * nx + Math.abs(x - cellX)];
              let product = 0;
              for (let l = 0; l < members; l++) product += e[l * state + i] * e[l * state + column];
              output[j * state + i] += h * c * product;
            }
          }
        }
      }
    }
  };
}

/** Lists, made once, of the indices within `reach` of each index. */
function neighbours(size: number, reach: number, periodic: boolean): (centre: number) => readonly number[] {
  const indices = Array.from({ length: size }, (_, index) => index);
  const lists = indices.map((centre) =>
    indices.filter((index) => {
      const lag = Math.abs(index - centre);
      return lag <= reach || (periodic && size - lag <= reach);
    }),
  );
  return (centre) => lists[centre];
}
