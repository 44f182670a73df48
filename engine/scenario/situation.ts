/** From a scenario to what its kinds are judged in. */
import { bathymetryDefinition } from '../bathymetry/index.ts';
import { modelKindDefinition, waterOf } from '../model-kinds/index.ts';
import type { ObservingNetwork, Situation } from '../settings/index.ts';
import { gaugeRoomAt, paintings } from './gauges.ts';
import { networkCapacity, observationCapacity } from './networks.ts';
import type { Scenario } from './schema.ts';

/** The gauges that are painted while a scenario runs, as networks: what each intervention adds, none of it taken away. */
function paintedNetworks(scenario: Scenario): ObservingNetwork[] {
  return paintings(scenario).map(({ variable, errorStandardDeviation, add }) => ({
    variable,
    errorStandardDeviation,
    qualityControl: 0,
    capacity: add.length,
  }));
}

/** What a scenario's kinds are judged in: with all gauges that are painted while it runs. */
export function situationOf(scenario: Scenario): Situation {
  const { grid, model, background, observations } = scenario;
  const own = observations.map((each) => ({
    variable: each.variable,
    errorStandardDeviation: each.errorStandardDeviation,
    qualityControl: each.qualityControl,
    capacity: observationCapacity(each, grid),
    together: each.errorCorrelation && networkCapacity(each.network, grid),
    remedied: each.assumed && (each.assumed.errorFactor > 1 || each.assumed.thinning > 1),
  }));
  const water = waterOf(model);
  return {
    grid,
    model,
    variables: modelKindDefinition(model).variables.map(({ name }) => name),
    background,
    networks: [...own, ...paintedNetworks(scenario)],
    observations: own.reduce((sum, { capacity = 0 }) => sum + capacity, 0) + gaugeRoomAt(scenario, Infinity).painted,
    depth: water && bathymetryDefinition(water.bathymetry.kind).depth(water.bathymetry),
  };
}
