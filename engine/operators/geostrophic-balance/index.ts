/**
 * Geostrophic balance of an increment: the momenta that a surface increment implies on a rotating earth,
 *
 *   δ(hu) += −c ∂δη/∂y,   δ(hv) += c ∂δη/∂x,   c = g D / f,
 *
 * D being the depth at rest and f that of the row, f + β·(y − y of the middle). Derivatives are centred differences, one-sided at walls, wrapped on periodic axes. The adjoint
 * is exact. In 3D-Var it stands between the univariate covariance and the state, so that an observation of the surface
 * corrects the flow.
 */
import type { Operator } from '../../compute/backend.ts';
import { reference } from './reference.ts';
import { geostrophicBalanceFields } from './parameters.ts';
import type { GeostrophicBalanceParameters } from './parameters.ts';

export { geostrophicBalanceFields } from './parameters.ts';
export type { GeostrophicBalanceParameters } from './parameters.ts';

export { differenceWeight } from './difference-weight.ts';

export { balanceCoefficient, coriolisAt } from './coriolis.ts';
export type { Coriolis } from './coriolis.ts';

export const geostrophicBalance: Operator<GeostrophicBalanceParameters, typeof geostrophicBalanceFields> = {
  name: 'geostrophic-balance',
  fields: geostrophicBalanceFields,
  /** Reads three fields and the coefficient, writes three; two differences, products and sums a cell. */
  cost: ({ nx, ny }, elementBytes) => ({ bytes: 7 * nx * ny * elementBytes, flops: 10 * nx * ny }),
  implementations: {
    reference,
    wasm: async () => (await import('./wasm.ts')).default,
    webgpu: async () => (await import('./webgpu.ts')).default,
  },
};
