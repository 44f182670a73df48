/** How fast the waves of a scenario are, in metres and seconds. */
import { greatestDepth } from '../bathymetry/index.ts';
import { waterOf } from '../model-kinds/index.ts';
import type { ShallowWaterSettings } from '../model-kinds/index.ts';
import { reachOf } from '../initial-states/index.ts';
import { extents } from '../settings/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import { scenarioBed } from './bed.ts';
import type { Perturbation, Scenario } from './schema.ts';

/** Standard deviations of the highest crest of a perturbation in a basin. */
const HIGHEST_PERTURBATION = 3;
/** How many times a perturbation can make the water shallower. */
const SHALLOWEST = 1000;

/**
 * Greatest speed of the currents that geostrophic balance brings to a perturbation, m/s: g/f · ∂η/∂x, and more where the
 * momentum that is in balance over the depth at rest finds less water, a thousandth of it in the deepest troughs.
 */
function balancedSpeed(
  { standardDeviation, length, balance }: Perturbation,
  depth: number,
  model: ShallowWaterSettings,
  scenario: Scenario,
): number {
  if (balance === 'none' || standardDeviation === 0) return 0;
  const { grid } = scenario;
  const [, mostY] = extents(scenario);
  const turning = Math.abs(model.coriolis.f) - (Math.abs(model.coriolis.beta) * mostY) / 2;
  const distance = Math.max(length, Math.min(grid.dx, grid.dy));
  const crest = HIGHEST_PERTURBATION * standardDeviation;
  const shallow = Math.min(SHALLOWEST, depth / Math.max(0, depth - crest));
  return (shallow * model.gravity * crest) / (turning * distance);
}

/** @returns the greatest depth of the water at rest, m, of a bed that a file gives too; undefined without water */
export function deepestWater(scenario: Scenario, files: ScenarioFiles): number | undefined {
  const water = waterOf(scenario.model);
  if (water === undefined) return undefined;
  const known = greatestDepth(water.bathymetry);
  return known ?? scenarioBed(scenario, files).reduce((most, elevation) => Math.max(most, -elevation), 0);
}

/**
 * @param deepest greatest depth of the water at rest, m, if a file gives it
 * @returns speed of the fastest wave, u + √(g h), m/s; undefined if the depth is not known, and without water
 */
export function fastestWave(scenario: Scenario, deepest?: number): number | undefined {
  const { truth, background } = scenario;
  const model = waterOf(scenario.model);
  const depth = model && (greatestDepth(model.bathymetry) ?? deepest);
  if (model === undefined || depth === undefined) return undefined;
  const states = [truth.initial, background.initial].map(reachOf);
  const deviation = Math.max(truth.perturbation.standardDeviation, background.perturbation.standardDeviation);
  const drops = scenario.interventions.flatMap((each) => (each.kind === 'drop' ? [each.height] : []));
  const highest =
    Math.max(...states.map((state) => state.highest)) + HIGHEST_PERTURBATION * deviation + Math.max(0, ...drops);
  const currents = [truth, background].map(({ perturbation }) => balancedSpeed(perturbation, depth, model, scenario));
  const speed = Math.max(...states.map((state) => state.speed)) + Math.max(...currents);
  return speed + Math.sqrt(model.gravity * (depth + highest));
}
