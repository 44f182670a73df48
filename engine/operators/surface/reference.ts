/** η = h + B and σ = √variance in float64. */
import type { ArraysOf } from '../../compute/backend.ts';
import type {
  StandardDeviationFields,
  StandardDeviationParameters,
  SurfaceElevationFields,
  SurfaceElevationParameters,
} from './parameters.ts';

export function surfaceElevation({ cells, variables }: SurfaceElevationParameters) {
  return ({ state, bed, planes }: ArraysOf<SurfaceElevationFields>): void => {
    for (let cell = 0; cell < cells; cell++) planes[cell] = state[cell] + bed[cell];
    for (let i = cells; i < variables * cells; i++) planes[i] = state[i];
  };
}

export function standardDeviation({ length }: StandardDeviationParameters) {
  return ({ variance, deviation }: ArraysOf<StandardDeviationFields>): void => {
    for (let i = 0; i < length; i++) deviation[i] = Math.sqrt(Math.max(variance[i], 0));
  };
}
