/**
 * Geostrophic balance of an increment: the momenta that a surface increment implies on a rotating earth,
 *
 *   δ(hu) += −c ∂δη/∂y,   δ(hv) += c ∂δη/∂x,   c = g D / f,
 *
 * D being the depth at rest and f that of the row, f + β·(y − y of the middle). Derivatives are centred differences, one-sided at walls, wrapped on periodic axes. The adjoint
 * is exact. In 3D-Var it is applied between the univariate covariance and the state, so that an observation of the surface
 * corrects the flow.
 */
import { kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import type { ArraysOf, RealArray } from '../../compute/backend.ts';

interface GeostrophicBalanceParameters {
  readonly nx: number;
  readonly ny: number;
  /** Cell sizes in metres. */
  readonly dx: number;
  readonly dy: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  readonly transpose: boolean;
}

/**
 * Weight with which the derivative at row `j` of an axis takes its neighbour `j + offset`, in units of one over the cell
 * size: ±½ inside and on periodic axes, one-sided at the two ends.
 */
export function differenceWeight(j: number, offset: -1 | 0 | 1, n: number, periodic: boolean): number {
  if (periodic || (j > 0 && j < n - 1)) return offset / 2;
  if (n === 1) return 0;
  if (j === 0) return offset === 1 ? 1 : offset === 0 ? -1 : 0;
  return offset === 0 ? 1 : offset === -1 ? -1 : 0;
}

const OFFSETS = [-1, 0, 1] as const;

function wrap(i: number, size: number): number {
  return (i + size) % size;
}

function reaches(i: number, size: number, periodic: boolean): boolean {
  return periodic || (i >= 0 && i < size);
}

/** One axis of the grid; cells that follow each other along it are `stride` apart. */
interface Axis {
  readonly size: number;
  readonly spacing: number;
  readonly periodic: boolean;
  readonly stride: number;
}

/** ∂/∂x along an axis, of the field that begins at `offset`, at a cell with the place i along that axis. */
function slope(
  field: RealArray,
  offset: number,
  cell: number,
  i: number,
  { size, spacing, periodic, stride }: Axis,
): number {
  let sum = 0;
  for (const d of OFFSETS) {
    if (!reaches(i + d, size, periodic)) continue;
    const from = cell + (wrap(i + d, size) - i) * stride;
    sum += differenceWeight(i, d, size, periodic) * field[offset + from];
  }
  return sum / spacing;
}

/** The transpose: a cell collects from the cells whose difference uses it, their values times the coefficient. */
function slopeAdjoint(
  field: RealArray,
  coefficient: RealArray,
  offset: number,
  cell: number,
  i: number,
  { size, spacing, periodic, stride }: Axis,
): number {
  let sum = 0;
  for (const d of OFFSETS) {
    if (!reaches(i - d, size, periodic)) continue;
    const place = wrap(i - d, size);
    const from = cell + (place - i) * stride;
    sum += differenceWeight(place, d, size, periodic) * coefficient[from] * field[offset + from];
  }
  return sum / spacing;
}

/** Float64, gathered: every output cell sums what its neighbours give, forward by rows and adjoint by columns. */
function reference({ nx, ny, dx, dy, periodicX, periodicY, transpose }: GeostrophicBalanceParameters) {
  const n = nx * ny;
  const alongX: Axis = { size: nx, spacing: dx, periodic: periodicX, stride: 1 };
  const alongY: Axis = { size: ny, spacing: dy, periodic: periodicY, stride: nx };

  return ({ coefficient, input, output }: ArraysOf<{ coefficient: 'real'; input: 'real'; output: 'real' }>): void => {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const cell = j * nx + i;
        if (transpose) {
          output[cell] =
            input[cell] -
            slopeAdjoint(input, coefficient, n, cell, j, alongY) +
            slopeAdjoint(input, coefficient, 2 * n, cell, i, alongX);
          output[n + cell] = input[n + cell];
          output[2 * n + cell] = input[2 * n + cell];
        } else {
          output[cell] = input[cell];
          output[n + cell] = input[n + cell] - coefficient[cell] * slope(input, 0, cell, j, alongY);
          output[2 * n + cell] = input[2 * n + cell] + coefficient[cell] * slope(input, 0, cell, i, alongX);
        }
      }
    }
  };
}

/** Cost: reads three fields and the coefficient, writes three; two differences, products and sums a cell. */
export const geostrophicBalance = kernelOperator({
  name: 'geostrophic-balance',
  block: parameterBlock('GeostrophicBalance', {
    nx: 'count',
    ny: 'count',
    periodicX: 'flag',
    periodicY: 'flag',
    perDx: 'f32',
    perDy: 'f32',
    transpose: 'flag',
    /** [ny][nx]: c in m²/s per metre of slope. */
    coefficient: 'read real',
    /** [3][ny][nx]: surface (m), hu, hv (m²/s); as `output`. */
    input: 'read real',
    output: 'write real',
  }),
  values: ({ dx, dy, ...others }: GeostrophicBalanceParameters) => ({ ...others, perDx: 1 / dx, perDy: 1 / dy }),
  cost: ({ nx, ny }, elementBytes) => ({ bytes: 7 * nx * ny * elementBytes, flops: 10 * nx * ny }),
  reference,
  wasm: ({ ny }) => ({ kernel: 'geostrophicBalance', parts: ny }),
  webgpu: { code: () => [import('./geostrophic-balance.wgsl?raw')], items: ({ nx, ny }) => [nx, ny] },
});

/** f-plane and β-plane. */
export interface Coriolis {
  /** In the middle of the basin, 1/s. */
  readonly f: number;
  /** Change along y, 1/(m s). */
  readonly beta: number;
}

/** Rows of a grid, and the metres between them. */
interface Rows {
  readonly ny: number;
  readonly dy: number;
}

/** @returns f + β·(y − y of the middle) at row `j`, which may lie between two rows, 1/s */
export function coriolisAt({ f, beta }: Coriolis, j: number, { ny, dy }: Rows): number {
  return f + beta * (j - (ny - 1) / 2) * dy;
}

/** @returns the operator's coefficient g D/f by cell, m²/s per metre of slope, D being the depth of the water at rest over the bed */
export function balanceCoefficient(
  grid: Rows & { readonly nx: number },
  bed: Float64Array,
  { gravity, coriolis }: { readonly gravity: number; readonly coriolis: Coriolis },
): Float64Array {
  return bed.map(
    (elevation, cell) => (gravity * Math.max(0, -elevation)) / coriolisAt(coriolis, Math.floor(cell / grid.nx), grid),
  );
}
