/**
 * States as they are looked at: the elevation of the water's surface above the water at rest, and standard deviations from
 * variances. Nothing is assimilated with these; they make a state drawable where it lies.
 *
 * - `surfaceElevation`: η = h + B for component 0, the other components as they are.
 * - `standardDeviation`: σ = √variance.
 */
import type { Operator } from '../../compute/backend.ts';
import { LimitError } from '../../errors.ts';
import * as reference from './reference.ts';
import type {
  SurfaceElevationParameters,
  SurfaceElevationFields,
  StandardDeviationParameters,
  StandardDeviationFields,
} from './parameters.ts';

export type {
  SurfaceElevationParameters,
  SurfaceElevationFields,
  StandardDeviationParameters,
  StandardDeviationFields,
} from './parameters.ts';

/** @throws LimitError when a count is not a positive integer */
function assertCount(operator: string, name: string, found: number): void {
  if (Number.isInteger(found) && found >= 1) return;
  throw new LimitError(`${operator}: ${name} is ${found}, it must be an integer of at least 1; pass the field's size`);
}

function checkedElevation(parameters: SurfaceElevationParameters): SurfaceElevationParameters {
  assertCount('surface-elevation', 'cells', parameters.cells);
  assertCount('surface-elevation', 'variables', parameters.variables);
  return parameters;
}

function checkedDeviation(parameters: StandardDeviationParameters): StandardDeviationParameters {
  assertCount('standard-deviation', 'length', parameters.length);
  return parameters;
}

/** planes₀ = state₀ + bed, planesᵥ = stateᵥ. Cost: reads state and bed once, writes once; one addition a cell. */
export const surfaceElevation: Operator<SurfaceElevationParameters, SurfaceElevationFields> = {
  name: 'surface-elevation',
  fields: { state: 'real', bed: 'real', planes: 'real' },
  cost(parameters, elementBytes) {
    const { cells, variables } = checkedElevation(parameters);
    return { bytes: elementBytes * (2 * variables + 1) * cells, flops: cells };
  },
  implementations: {
    reference: (parameters) => reference.surfaceElevation(checkedElevation(parameters)),
    wasm: async () => {
      const { surfaceElevation: prepare } = await import('./wasm.ts');
      return (builder, parameters) => prepare(builder, checkedElevation(parameters));
    },
    webgpu: async () => (await import('./webgpu.ts')).surfaceElevation,
  },
};

/** deviation = √max(variance, 0). Cost: reads and writes each element once. */
export const standardDeviation: Operator<StandardDeviationParameters, StandardDeviationFields> = {
  name: 'standard-deviation',
  fields: { variance: 'real', deviation: 'real' },
  cost(parameters, elementBytes) {
    const { length } = checkedDeviation(parameters);
    return { bytes: elementBytes * 2 * length, flops: length };
  },
  implementations: {
    reference: (parameters) => reference.standardDeviation(checkedDeviation(parameters)),
    wasm: async () => {
      const { standardDeviation: prepare } = await import('./wasm.ts');
      return (builder, parameters) => prepare(builder, checkedDeviation(parameters));
    },
    webgpu: async () => (await import('./webgpu.ts')).standardDeviation,
  },
};
