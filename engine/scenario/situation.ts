/** From a scenario to what its kinds are judged in. */
import { bathymetryDefinition } from '../bathymetry/index.ts';
import { modelKindDefinition, waterOf } from '../model-kinds/index.ts';
import type { Situation } from '../settings/index.ts';
import { networkCapacity } from './networks.ts';
import type { Scenario } from './schema.ts';

export function situationOf({ grid, model, background, observations }: Scenario): Situation {
  const networks = observations.map(({ variable, errorStandardDeviation, qualityControl, network }) => ({
    variable,
    errorStandardDeviation,
    qualityControl,
    capacity: networkCapacity(network, grid),
  }));
  const water = waterOf(model);
  return {
    grid,
    model,
    variables: modelKindDefinition(model).variables.map(({ name }) => name),
    background,
    networks,
    observations: networks.reduce((sum, { capacity = 0 }) => sum + capacity, 0),
    depth: water && bathymetryDefinition(water.bathymetry.kind).depth(water.bathymetry),
  };
}
