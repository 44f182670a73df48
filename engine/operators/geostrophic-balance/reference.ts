import type { ArraysOf } from '../../compute/backend.ts';
import { differenceWeight } from './difference-weight.ts';
import type { geostrophicBalanceFields, GeostrophicBalanceParameters } from './index.ts';

const OFFSETS = [-1, 0, 1] as const;

function wrap(i: number, size: number): number {
  return (i + size) % size;
}

function reaches(i: number, size: number, periodic: boolean): boolean {
  return periodic || (i >= 0 && i < size);
}

/** Float64, gathered: every output cell sums what its neighbours give, forward by rows and adjoint by columns. */
export function reference({ nx, ny, dx, dy, periodicX, periodicY, transpose }: GeostrophicBalanceParameters) {
  const n = nx * ny;

  /** ∂/∂x (or ∂/∂y) of a field at cell (j, i). */
  const slopeX = (field: Float64Array, offset: number, j: number, i: number): number => {
    let sum = 0;
    for (const d of OFFSETS) {
      if (reaches(i + d, nx, periodicX))
        sum += differenceWeight(i, d, nx, periodicX) * field[offset + j * nx + wrap(i + d, nx)];
    }
    return sum / dx;
  };
  const slopeY = (field: Float64Array, offset: number, j: number, i: number): number => {
    let sum = 0;
    for (const d of OFFSETS) {
      if (reaches(j + d, ny, periodicY))
        sum += differenceWeight(j, d, ny, periodicY) * field[offset + wrap(j + d, ny) * nx + i];
    }
    return sum / dy;
  };

  /** The transposes: cell (j, i) collects from the cells whose difference uses it, their values times the coefficient. */
  const slopeXAdjoint = (
    field: Float64Array,
    coefficient: Float64Array,
    offset: number,
    j: number,
    i: number,
  ): number => {
    let sum = 0;
    for (const d of OFFSETS) {
      if (!reaches(i - d, nx, periodicX)) continue;
      const from = wrap(i - d, nx);
      sum += differenceWeight(from, d, nx, periodicX) * coefficient[j * nx + from] * field[offset + j * nx + from];
    }
    return sum / dx;
  };
  const slopeYAdjoint = (
    field: Float64Array,
    coefficient: Float64Array,
    offset: number,
    j: number,
    i: number,
  ): number => {
    let sum = 0;
    for (const d of OFFSETS) {
      if (!reaches(j - d, ny, periodicY)) continue;
      const from = wrap(j - d, ny);
      sum += differenceWeight(from, d, ny, periodicY) * coefficient[from * nx + i] * field[offset + from * nx + i];
    }
    return sum / dy;
  };

  return ({ coefficient, input, output }: ArraysOf<typeof geostrophicBalanceFields>): void => {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const cell = j * nx + i;
        if (transpose) {
          output[cell] =
            input[cell] - slopeYAdjoint(input, coefficient, n, j, i) + slopeXAdjoint(input, coefficient, 2 * n, j, i);
          output[n + cell] = input[n + cell];
          output[2 * n + cell] = input[2 * n + cell];
        } else {
          output[cell] = input[cell];
          output[n + cell] = input[n + cell] - coefficient[cell] * slopeY(input, 0, j, i);
          output[2 * n + cell] = input[2 * n + cell] + coefficient[cell] * slopeX(input, 0, j, i);
        }
      }
    }
  };
}
