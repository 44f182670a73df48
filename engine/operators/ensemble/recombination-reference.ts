/** Ensembles made of others, element by element. */
import type { RealArray } from '../../compute/backend.ts';
import { meanAt, varianceAt } from './moments-reference.ts';
import type { EnsembleSize, RelaxationParameters, ScaledParameters } from './parameters.ts';

export function recentring({ members, length, factor = 1 }: ScaledParameters) {
  return (arrays: { readonly mean: RealArray; readonly anomalies: RealArray; readonly ensemble: RealArray }): void => {
    const { mean, anomalies, ensemble } = arrays;
    for (let l = 0; l < members; l++) {
      for (let i = 0; i < length; i++) ensemble[l * length + i] = mean[i] + factor * anomalies[l * length + i];
    }
  };
}

export function inflation(parameters: EnsembleSize & { readonly factor: number }) {
  const { members, length, factor } = parameters;
  return ({ ensemble }: { readonly ensemble: RealArray }): void => {
    for (let i = 0; i < length; i++) {
      const mean = meanAt(ensemble, parameters, i);
      for (let l = 0; l < members; l++) {
        const at = l * length + i;
        ensemble[at] = mean + factor * (ensemble[at] - mean);
      }
    }
  };
}

export function inflationBy(size: EnsembleSize) {
  return ({ factor, ensemble }: { readonly factor: RealArray; readonly ensemble: RealArray }): void =>
    inflation({ ...size, factor: Math.sqrt(factor[0]) })({ ensemble });
}

export function perturbation({ members, length, factor = 1 }: ScaledParameters) {
  return ({ noise, ensemble }: { readonly noise: RealArray; readonly ensemble: RealArray }): void => {
    for (let at = 0; at < members * length; at++) ensemble[at] += factor * noise[at];
  };
}

export function relaxation(parameters: RelaxationParameters) {
  const { members, length, kind, factor } = parameters;
  return (arrays: { readonly background: RealArray; readonly ensemble: RealArray }): void => {
    const { background, ensemble } = arrays;
    for (let i = 0; i < length; i++) {
      const backgroundMean = meanAt(background, parameters, i);
      const mean = meanAt(ensemble, parameters, i);
      const backgroundSpread = Math.sqrt(varianceAt(background, parameters, i, backgroundMean));
      const spread = Math.sqrt(varianceAt(ensemble, parameters, i, mean));
      const stretch = spread > 0 ? (factor * (backgroundSpread - spread)) / spread : 0;
      for (let l = 0; l < members; l++) {
        const at = l * length + i;
        const anomaly = ensemble[at] - mean;
        ensemble[at] += kind === 'spread' ? stretch * anomaly : factor * (background[at] - backgroundMean - anomaly);
      }
    }
  };
}

export function ensembleTransform({ members, length }: EnsembleSize) {
  return (arrays: {
    readonly ensemble: RealArray;
    readonly transform: RealArray;
    readonly transformed: RealArray;
  }): void => {
    const { ensemble, transform, transformed } = arrays;
    for (let j = 0; j < members; j++) {
      for (let i = 0; i < length; i++) {
        let sum = 0;
        for (let l = 0; l < members; l++) sum += ensemble[l * length + i] * transform[l * members + j];
        transformed[j * length + i] = sum;
      }
    }
  };
}
