/**
 * What the members see, inflated by the factor of the grid point that is nearest to each observation: y_l ← ȳ + √ρ (y_l − ȳ). The
 * points have a grid of their own, `spacingX` and `spacingY` grid units apart, from 0 on.
 */
import { kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';

interface InflationAtPlacesParameters {
  readonly members: number;
  readonly observations: number;
  readonly nx: number;
  readonly ny: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  readonly spacingX: number;
  readonly spacingY: number;
}

/** @returns the point of an axis that is nearest to a place, in units of the points */
function nearest(place: number, count: number, isPeriodic: boolean): number {
  const at = Math.floor(place + 0.5);
  return isPeriodic ? ((at % count) + count) % count : Math.min(count - 1, Math.max(0, at));
}

/** Cost: places and ensemble once, twice for the latter; four operations a value. */
export const inflationAtPlaces = kernelOperator({
  name: 'inflation-at-places',
  block: parameterBlock('InflationAtPlaces', {
    members: 'count',
    observations: 'count',
    nx: 'count',
    ny: 'count',
    periodicX: 'flag',
    periodicY: 'flag',
    inverseX: 'f32',
    inverseY: 'f32',
    /** In grid units, [observations]. */
    positionX: 'read real',
    positionY: 'read real',
    /** ρ, [ny][nx] */
    factor: 'read real',
    /** [members][observations], in place. */
    ensemble: 'write real',
  }),
  values: ({ spacingX, spacingY, ...rest }: InflationAtPlacesParameters) => ({
    ...rest,
    inverseX: 1 / spacingX,
    inverseY: 1 / spacingY,
  }),
  cost: ({ members, observations }, elementBytes) => ({
    bytes: (2 * members + 3) * observations * elementBytes,
    flops: 4 * members * observations,
  }),
  reference:
    ({ members, observations, nx, ny, periodicX, periodicY, spacingX, spacingY }) =>
    ({ positionX, positionY, factor, ensemble }) => {
      for (let j = 0; j < observations; j++) {
        const x = nearest(positionX[j] / spacingX, nx, periodicX);
        const y = nearest(positionY[j] / spacingY, ny, periodicY);
        const root = Math.sqrt(factor[y * nx + x]);
        const first = ensemble[j];
        let sum = 0;
        for (let l = 1; l < members; l++) sum += ensemble[l * observations + j] - first;
        const mean = first + sum / members;
        for (let l = 0; l < members; l++) {
          ensemble[l * observations + j] = mean + root * (ensemble[l * observations + j] - mean);
        }
      }
    },
  // Observations are few.
  wasm: () => ({ kernel: 'inflationAtPlaces', parts: 1 }),
  webgpu: {
    code: () => [import('./inflation-at-places.wgsl?raw')],
    items: ({ observations }) => observations,
  },
});
