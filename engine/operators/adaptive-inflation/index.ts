/**
 * One inflation factor for all cells from the innovations of a cycle, by a scalar Kalman update with a prior variance. The update
 * is derived from [miyoshi2011], where every cell has a factor of its own from the observations near it; this one is global, and
 * held at 1 or above. With
 * T = tr(HPᶠHᵀR⁻¹) of the ensemble as it is, and ρ that the cycle was analysed with,
 *
 *   ρᵒ = (dᵀR⁻¹d − p)/T,   v_o = (2/p) ((ρT + p)/T)²,   ρ ← ρ + v_b/(v_b + v_o) (ρᵒ − ρ),
 *
 * since E ddᵀ = ρ HPᶠHᵀ + R where ρ is right; v_o is the variance of ρᵒ were the innovations independent. Or by the ratio of
 * [desroziers2005], E (H x̄ᵃ − H x̄ᶠ) dᵀ = ρ HPᶠHᵀ, for which the analysis is looked at instead of σₒ:
 *
 *   ρᵒ = (d − dᵃ)ᵀR⁻¹d / T,   v_o = (2/p) ρ².
 *
 * p counts the observations that are used; without any, or where the ensemble has no spread there, ρ stays as it is. Sums are
 * float64 in `reference` and `wasm`.
 */
import { aboveZero, kernelOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { LimitError } from '../../errors.ts';

export interface InflationEstimateParameters {
  /** p, the capacity of the observation fields. */
  readonly observations: number;
  /** `innovations`: from dᵀR⁻¹d; `desroziers`: from the ratio of (d − dᵃ)ᵀR⁻¹d to what the ensemble says. */
  readonly kind: 'innovations' | 'desroziers';
  /** √v_b above 0: how far the factor may have moved since the cycle before. */
  readonly deviation: number;
  /** What the factor is held between. */
  readonly least: number;
  readonly most: number;
}

/** Cost: each of four numbers of an observation once; some eight operations. */
export const inflationEstimate = kernelOperator({
  name: 'inflation-estimate',
  /** Observations are [observations]. */
  block: parameterBlock('InflationEstimate', {
    observations: 'count',
    /** By the ratio of Desroziers, or from the innovations. */
    ratio: 'flag',
    /** v_b */
    priorVariance: 'f32',
    least: 'f32',
    most: 'f32',
    /** d = y − H(x̄ᶠ) */
    innovation: 'read real',
    /** dᵃ = y − H(x̄ᵃ), not read for `innovations`. */
    residual: 'read real',
    /** 1/σₒ of what is used, 0 elsewhere. */
    inverseErrorStd: 'read real',
    /** Variance of the inflated background at the observations, ρσ_b². */
    variance: 'read real',
    /** ρ, [1], in place. */
    factor: 'write real',
  }),
  parameters: { deviation: aboveZero },
  check({ least, most }) {
    if (least > 0 && least <= most) return;
    throw new LimitError(
      `inflation-estimate: the factor is held from ${least} to ${most}; both must be above 0, in order`,
    );
  },
  values: ({ observations, kind, deviation, least, most }: InflationEstimateParameters) => ({
    observations,
    ratio: kind === 'desroziers',
    priorVariance: deviation ** 2,
    least,
    most,
  }),
  cost: ({ observations }, elementBytes) => ({
    bytes: (4 * observations + 2) * elementBytes,
    flops: 8 * observations + 12,
  }),
  reference: ({ observations, kind, deviation, least, most }) => {
    const isRatio = kind === 'desroziers';
    return ({ innovation, residual, inverseErrorStd, variance, factor }) => {
      let count = 0;
      let stated = 0;
      let found = 0;
      for (let j = 0; j < observations; j++) {
        const r = inverseErrorStd[j];
        if (!(r > 0)) continue;
        const d = innovation[j];
        count += 1;
        stated += r * r * variance[j];
        found += isRatio ? r * r * d * (d - residual[j]) : r * r * d * d - 1;
      }
      if (!(stated > 0)) return;
      const prior = factor[0];
      const scale = isRatio ? prior : (prior * (stated + count)) / stated;
      const observedVariance = (2 / count) * scale * scale;
      const gain = deviation ** 2 / (deviation ** 2 + observedVariance);
      factor[0] = Math.min(most, Math.max(least, prior + gain * ((prior * found) / stated - prior)));
    };
  },
  // Observations are few: one part, one workgroup.
  wasm: () => ({ kernel: 'inflationEstimate', parts: 1 }),
  webgpu: {
    code: () => [import('../../compute/webgpu/library/reduction.wgsl?raw'), import('./adaptive-inflation.wgsl?raw')],
    parts: ['estimate'],
    items: () => 1,
  },
});

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

/**
 * What the members see, inflated by the factor of the grid point that is nearest to each observation: y_l ← ȳ + √ρ (y_l − ȳ). The
 * points have a grid of their own, `spacingX` and `spacingY` grid units apart, from 0 on.
 *
 * Cost: places and ensemble once, twice for the latter; four operations a value.
 */
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
    code: () => [import('./adaptive-inflation.wgsl?raw')],
    parts: ['at-places'],
    items: ({ observations }) => observations,
  },
});
