/**
 * Limits the speed of water that an analysis has changed to what the forecast can explain. Increments of momentum do not know
 * how little water a cell has: in a film they are a speed of kilometres a second, which no time step can follow. As in the
 * scheme itself (central-upwind/index.ts, point 5), water in cell c gets no faster than water from c or from the four cells
 * beside it, n, can be there:
 *
 *   |u_c|² ≤ max over n of (max(|uᶠ_n|², 4 g h_n) + 2 g max(η_n − η_c, 0)),
 *
 * uᶠ the velocity of the forecast, 2√(g h) the front of water that runs out over dry ground [Ritter 1892], the last term what
 * water gains by falling [Bernoulli]; h and η are the larger ones of forecast and analysis. Momentum keeps its direction. Water
 * slower than its own 2√(g h), or than it was in the forecast, is left as it is, bit by bit: so is all water that is not thin.
 */
import type { Operator } from '../../../compute/backend.ts';
import type { SpeedLimitFields, SpeedLimitParameters } from './parameters.ts';
import { speedLimitReference } from './reference.ts';

export type { SpeedLimitFields, SpeedLimitParameters } from './parameters.ts';

/** Cost: reads both states; few cells are written. */
export const speedLimit: Operator<SpeedLimitParameters, SpeedLimitFields> = {
  name: 'shallow-water-speed-limit',
  fields: { forecast: 'real', state: 'real' },
  cost: ({ members, nx, ny }, elementBytes) => ({
    bytes: 6 * members * nx * ny * elementBytes,
    flops: 12 * members * nx * ny,
  }),
  implementations: {
    reference: speedLimitReference,
    wasm: async () => (await import('./wasm.ts')).default,
    webgpu: async () => (await import('./webgpu.ts')).default,
  },
};
