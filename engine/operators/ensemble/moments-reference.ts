/** Moments of one element over the members, and the operators made of them. */
import type { RealArray } from '../../compute/backend.ts';
import type { AnomaliesParameters, EnsembleSize, VarianceParameters } from './parameters.ts';

/** Mean over the members of element i of an ensemble [members][length]. */
export function meanAt(ensemble: RealArray, { members, length }: EnsembleSize, i: number): number {
  let sum = 0;
  for (let l = 0; l < members; l++) sum += ensemble[l * length + i] - ensemble[i];
  return ensemble[i] + sum / members;
}

/** Variance over the members of element i about its mean, divided by members − 1; 0 for a single member. */
export function varianceAt(ensemble: RealArray, size: EnsembleSize, i: number, mean: number): number {
  const { members, length } = size;
  let sum = 0;
  for (let l = 0; l < members; l++) sum += (ensemble[l * length + i] - mean) ** 2;
  return members === 1 ? 0 : sum / (members - 1);
}

export function ensembleMean(size: EnsembleSize) {
  return ({ ensemble, mean }: { readonly ensemble: RealArray; readonly mean: RealArray }): void => {
    for (let i = 0; i < size.length; i++) mean[i] = meanAt(ensemble, size, i);
  };
}

export function ensembleVariance({ factor = 1, ...size }: VarianceParameters) {
  return ({ ensemble, variance }: { readonly ensemble: RealArray; readonly variance: RealArray }): void => {
    for (let i = 0; i < size.length; i++) {
      variance[i] = factor * varianceAt(ensemble, size, i, meanAt(ensemble, size, i));
    }
  };
}

export function anomalies({ members, length, factor = 1 }: AnomaliesParameters) {
  return (arrays: { readonly ensemble: RealArray; readonly mean: RealArray; readonly anomalies: RealArray }): void => {
    const { ensemble, mean } = arrays;
    for (let i = 0; i < length; i++) {
      mean[i] = meanAt(ensemble, { members, length }, i);
      for (let l = 0; l < members; l++)
        arrays.anomalies[l * length + i] = factor * (ensemble[l * length + i] - mean[i]);
    }
  };
}
