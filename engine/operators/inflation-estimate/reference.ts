/** The estimate in float64. */
import type { ArraysOf } from '../../compute/backend.ts';
import { validated } from './parameters.ts';
import type { InflationEstimateFields, InflationEstimateParameters } from './parameters.ts';

export function inflationEstimateReference(parameters: InflationEstimateParameters) {
  const { observations, kind, deviation, least, most } = validated(parameters);
  const isRatio = kind === 'desroziers';
  return ({ innovation, residual, inverseErrorStd, variance, factor }: ArraysOf<InflationEstimateFields>): void => {
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
}
