/** The bed of a scenario: its bathymetry, and the islands that were raised in it. */
import { bathymetryDefinition, bedElevation, greatestDepth } from '../bathymetry/index.ts';
import { addDrop, reachOf } from '../initial-states/index.ts';
import type { Grid as ModelGrid } from '../models/index.ts';
import { waterOf } from '../model-kinds/index.ts';
import { boundaryOf, NO_FILES, extents } from '../settings/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import type { InterventionOf, Scenario, Perturbation } from './schema.ts';
import type { ShallowWaterSettings } from '../model-kinds/index.ts';

/** @returns the grid as the models have it */
export function modelGrid({ grid, model }: Pick<Scenario, 'grid' | 'model'>): ModelGrid {
  const { nx, ny, dx, dy } = grid;
  const { x, y } = boundaryOf(model);
  return { nx, ny, dx, dy, periodicX: x === 'periodic', periodicY: y === 'periodic' };
}

/** @returns the islands of a scenario, which are part of its bed from the beginning */
export function islandsOf({ interventions }: Pick<Scenario, 'interventions'>): readonly InterventionOf<'island'>[] {
  return interventions.filter((each) => each.kind === 'island');
}

/**
 * What a drop or an island adds to the surface or to the bed: `height` in the middle, exp(−5 r²/(2·radius)²) of it at distance r.
 *
 * @param place in cells
 */
export function addMound(
  elevation: Float64Array,
  grid: ModelGrid,
  { x, y, radius, height }: Pick<InterventionOf<'drop'>, 'x' | 'y' | 'radius' | 'height'>,
): void {
  addDrop(elevation, grid, { x: x * grid.dx, y: y * grid.dy, height, width: 2 * radius });
}

/** @returns elevation of the bed above the surface of the water at rest, metres, [ny][nx]: −depth under water; 0 if there is no water */
export function scenarioBed(scenario: Scenario, files: ScenarioFiles): Float64Array {
  const grid = modelGrid(scenario);
  const water = waterOf(scenario.model);
  if (water === undefined) return new Float64Array(grid.nx * grid.ny);
  const bed = bedElevation(water.bathymetry, grid, files);
  for (const island of islandsOf(scenario)) addMound(bed, grid, island);
  return bed;
}

let latest: { readonly key: string; readonly bed: Float64Array } | undefined;

/** @returns the bed of water where no file says what it is, otherwise undefined. The latest one is kept, since scenarios are judged at every touch */
export function knownBed(scenario: Scenario): Readonly<Float64Array> | undefined {
  const { grid } = scenario;
  const model = waterOf(scenario.model);
  if (model === undefined || bathymetryDefinition(model.bathymetry.kind).reads) return undefined;
  const key = JSON.stringify([grid, model.boundary, model.bathymetry, islandsOf(scenario)]);
  if (latest?.key !== key) latest = { key, bed: scenarioBed(scenario, NO_FILES) };
  return latest.bed;
}

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
