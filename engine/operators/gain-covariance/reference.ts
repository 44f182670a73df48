/** P_HT by its formula, a nonzero of H after the other, over the rows in reach. */
import type { ArraysOf } from '../../compute/backend.ts';
import type { GainCovarianceFields, GainCovarianceParameters } from './parameters.ts';

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
}: GainCovarianceParameters): (arrays: ArraysOf<GainCovarianceFields>) => void {
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
