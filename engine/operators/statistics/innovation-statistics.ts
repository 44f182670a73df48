/** Whether innovations are what the error statistics say: mean 0, and d² of σₒ² + σ_b² on average. */
import { kernelOperator } from '../../compute/kernel-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';

export const INNOVATION_REPORT_LENGTH = 5;

/**
 * Over the observations that are used: their count, the mean and variance (divided by count − 1) of d, and the mean of the
 * normalised squares d²/(σₒ² + σ_b²), written r²d²/(1 + r²σ_b²) with r = 1/σₒ (no χ²: it knows nothing of how errors at two
 * observations are correlated); and how many were rejected. All are 0 if none is used.
 */
export const innovationStatistics = kernelOperator({
  name: 'innovation-statistics',
  block: parameterBlock('InnovationStatistics', {
    observations: 'count',
    /** d = y − H(x̄ᶠ), [observations] */
    innovation: 'read real',
    /** 1/σₒ as used, [observations]: 0 where the observation is absent or was rejected. */
    inverseErrorStd: 'read real',
    /** 1/σₒ before quality control, [observations]: 0 where absent. */
    originalInverseErrorStd: 'read real',
    /** σ_b², the background's variance at the observations as the method takes it, [observations]; zeros if there is none. */
    backgroundVariance: 'read real',
    /** [INNOVATION_REPORT_LENGTH]: see `readInnovationReport`. */
    report: 'write real',
  }),
  cost: ({ observations }, elementBytes) => ({ bytes: 4 * elementBytes * observations, flops: 11 * observations }),
  reference:
    ({ observations }) =>
    ({ innovation, inverseErrorStd, originalInverseErrorStd, backgroundVariance, report }) => {
      let count = 0;
      let rejected = 0;
      let sum = 0;
      for (let j = 0; j < observations; j++) {
        if (inverseErrorStd[j] > 0) {
          count += 1;
          sum += innovation[j];
        } else if (originalInverseErrorStd[j] > 0) rejected += 1;
      }
      const mean = count > 0 ? sum / count : 0;
      let squares = 0;
      let normalised = 0;
      for (let j = 0; j < observations; j++) {
        const r = inverseErrorStd[j];
        if (!(r > 0)) continue;
        squares += (innovation[j] - mean) ** 2;
        normalised += (r * innovation[j]) ** 2 / (1 + r ** 2 * backgroundVariance[j]);
      }
      report.set([count, mean, squares / Math.max(1, count - 1), normalised / Math.max(1, count), rejected]);
    },
  // Observations are few: one part, one workgroup.
  wasm: () => ({ kernel: 'innovationStatistics', parts: 1 }),
  webgpu: {
    code: () => [import('../../compute/webgpu/library/reduction.wgsl?raw'), import('./innovation-statistics.wgsl?raw')],
    items: () => 1,
  },
});

/** The `report` field of `innovationStatistics`, read back, by name. */
export function readInnovationReport(report: ArrayLike<number>): {
  readonly count: number;
  readonly mean: number;
  readonly variance: number;
  readonly normalisedSquares: number;
  readonly rejected: number;
} {
  const [count, mean, variance, normalisedSquares, rejected] = Array.from(report);
  return { count, mean, variance, normalisedSquares, rejected };
}
