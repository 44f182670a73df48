/** From a scenario to what its kinds are judged in. */
import { bathymetryDefinition } from '../bathymetry/index.ts';
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
  return {
    grid,
    model,
    background,
    networks,
    observations: networks.reduce((sum, { capacity = 0 }) => sum + capacity, 0),
    depth: bathymetryDefinition(model.bathymetry.kind).depth(model.bathymetry),
  };
}
