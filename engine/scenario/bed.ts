/** The bed of a scenario: its bathymetry, and the islands that were raised in it. */
import { bathymetryDefinition, bedElevation } from '../bathymetry/index.ts';
import { addDrop } from '../initial-states/index.ts';
import type { Grid as ModelGrid } from '../models/index.ts';
import { waterOf } from '../model-kinds/index.ts';
import { boundaryOf } from '../settings/index.ts';
import type { ScenarioFiles } from '../settings/index.ts';
import { NO_FILES } from '../settings/index.ts';
import type { InterventionOf, Scenario } from './schema.ts';

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
