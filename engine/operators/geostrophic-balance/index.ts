/**
 * Geostrophic balance of an increment: the momenta that a surface increment implies on a rotating earth,
 *
 *   δ(hu) += −c ∂δη/∂y,   δ(hv) += c ∂δη/∂x,   c = g D / f,
 *
 * D being the depth at rest and f that of the row, f + β·(y − y of the middle). Derivatives are centred differences, one-sided at walls, wrapped on periodic axes. The adjoint
 * is exact. In 3D-Var it stands between the univariate covariance and the state, so that an observation of the surface
 * corrects the flow.
 */
import { kernelOperator } from '../../compute/kernel-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { reference } from './reference.ts';
import type { GeostrophicBalanceParameters } from './reference.ts';

export { balanceCoefficient, coriolisAt } from './coriolis.ts';
export type { Coriolis } from './coriolis.ts';
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
