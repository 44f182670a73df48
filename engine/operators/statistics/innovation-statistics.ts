/** Whether innovations are what the error statistics say: mean 0, and d² of σₒ² + σ_b² on average. */
import type { ArraysOf, Operator } from '../../compute/backend.ts';
import type { InnovationStatisticsFields } from './parameters.ts';

export const INNOVATION_REPORT_LENGTH = 5;

/**
 * Over the observations that are used: their count, the mean and variance (divided by count − 1) of d, and the mean of the
 * normalised squares d²/(σₒ² + σ_b²), written r²d²/(1 + r²σ_b²) with r = 1/σₒ (no χ²: it knows nothing of how errors at two
 * observations go together); and how many were rejected. All are 0 where none is used.
 */
export const innovationStatistics: Operator<{ readonly observations: number }, InnovationStatisticsFields> = {
  name: 'innovation-statistics',
  fields: {
    innovation: 'real',
    inverseErrorStd: 'real',
    originalInverseErrorStd: 'real',
    backgroundVariance: 'real',
    report: 'real',
  },
  cost: ({ observations }, elementBytes) => ({ bytes: 4 * elementBytes * observations, flops: 11 * observations }),
  implementations: {
    reference: innovationStatisticsReference,
    wasm: async () => (await import('./wasm-innovation-statistics.ts')).default,
    webgpu: async () => (await import('./webgpu-innovation-statistics.ts')).default,
  },
};

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

function innovationStatisticsReference({ observations }: { readonly observations: number }) {
  return (arrays: ArraysOf<InnovationStatisticsFields>): void => {
    const { innovation, inverseErrorStd, originalInverseErrorStd, backgroundVariance, report } = arrays;
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
  };
}
