/**
 * Geostrophic balance of an increment: the momenta that a surface increment implies on a rotating earth,
 *
 *   δ(hu) += −c ∂δη/∂y,   δ(hv) += c ∂δη/∂x,   c = g D / f,
 *
 * D being the depth at rest and f that of the row, f + β·(y − y of the middle). Derivatives are centred differences, one-sided at walls, wrapped on periodic axes. The adjoint
 * is exact. In 3D-Var it is applied between the univariate covariance and the state, so that an observation of the surface
 * corrects the flow.
 */
import { kernelOperator } from '../../compute/kernel-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { reference } from './reference.ts';
import type { GeostrophicBalanceParameters } from './reference.ts';

export { differenceWeight } from './reference.ts';

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
