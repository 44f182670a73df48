/** The bed of a scenario: its bathymetry, and the islands that were raised in it. */
import { bathymetryDefinition, bedElevation, greatestDepth } from '../bathymetry/index.ts';
import { addDrop, reachOf, type Drop } from '../initial-states/index.ts';
import type { Grid as ModelGrid } from '../models/index.ts';
import { waterOf, type ShallowWaterSettings } from '../model-kinds/index.ts';
import { boundaryOf, NO_FILES, extents, tidy, type ScenarioFiles, type Path, type Problem } from '../settings/index.ts';
import type { InterventionOf, Scenario, Perturbation, Intervention } from './schema.ts';
import { ScenarioError } from '../errors.ts';
import { inBranches } from './branches.ts';

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
 * @param mound a drop or an island, with its place in cells
 * @returns what it adds to the surface or to the bed: `height` in the middle, exp(−5 r²/(2·radius)²) of it at distance r
 */
export function moundOf(
  { x, y, radius, height }: Pick<InterventionOf<'drop'>, 'x' | 'y' | 'radius' | 'height'>,
  { dx, dy }: Pick<ModelGrid, 'dx' | 'dy'>,
): Drop {
  return { x: x * dx, y: y * dy, height, width: 2 * radius };
}

/** @returns elevation of the bed above the surface of the water at rest, metres, [ny][nx]: −depth under water; 0 if there is no water */
export function scenarioBed(scenario: Scenario, files: ScenarioFiles): Float64Array {
  const grid = modelGrid(scenario);
  const water = waterOf(scenario.model);
  if (water === undefined) return new Float64Array(grid.nx * grid.ny);
  const bed = bedElevation(water.bathymetry, grid, files);
  for (const island of islandsOf(scenario)) addDrop(bed, grid, moundOf(island, grid));
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

/** What is wrong with an intervention, and where inside it. */
export interface Fault {
  readonly at: Path;
  readonly message: string;
}

/** The cell whose centre is nearest to a place. */
function cellAt([x, y]: readonly [number, number], { grid: { nx, ny } }: Pick<Scenario, 'grid'>): number {
  return (Math.round(y) % ny) * nx + (Math.round(x) % nx);
}

function gaugesFault({ add }: InterventionOf<'gauges'>, scenario: Scenario, bed: Float64Array): Fault | undefined {
  const index = add.findIndex((place) => bed[cellAt(place, scenario)] >= 0);
  if (index === -1) return undefined;
  const [x, y] = add[index];
  const height = tidy(bed[cellAt([x, y], scenario)]);
  const message = `found [${x}, ${y}], which is land, ${height} m above the water at rest; allowed: places under water`;
  return { at: ['add', index], message };
}

/** How much can be taken from the water at rest before a cell that it covers falls dry, m. */
function dropFault(drop: InterventionOf<'drop'>, scenario: Scenario, bed: Float64Array): Fault | undefined {
  if (drop.height >= 0) return undefined;
  const { nx } = scenario.grid;
  const change = new Float64Array(bed.length);
  const grid = modelGrid(scenario);
  addDrop(change, grid, moundOf({ ...drop, height: 1 }, grid));
  let most = Infinity;
  let driest = 0;
  bed.forEach((elevation, cell) => {
    if (elevation >= 0 || change[cell] === 0 || -elevation / change[cell] >= most) return;
    most = -elevation / change[cell];
    driest = cell;
  });
  if (-drop.height < most) return undefined;
  const place = `[${driest % nx}, ${Math.floor(driest / nx)}]`;
  const message = `found ${drop.height} m, which leaves ${place} dry, ${tidy(-bed[driest])} m deep at rest; allowed: above ${tidy(-most)} m`;
  return { at: ['height'], message };
}

function islandFault({ height }: InterventionOf<'island'>, bed: Float64Array): Fault | undefined {
  if (bed.some((elevation) => elevation < 0)) return undefined;
  return {
    at: ['height'],
    message: `found ${height} m, which leaves no water; allowed: islands with water around them`,
  };
}

/** @param bed with all islands, m above the water at rest, [ny][nx]. @returns what an intervention has against it */
export function groundProblem(intervention: Intervention, scenario: Scenario, bed: Float64Array): Fault | undefined {
  switch (intervention.kind) {
    case 'setting':
      return undefined;
    case 'gauges':
      return gaugesFault(intervention, scenario, bed);
    case 'drop':
      return dropFault(intervention, scenario, bed);
    case 'island':
      return islandFault(intervention, bed);
    default:
      return intervention satisfies never;
  }
}

/** @returns what the interventions of a scenario, and of its branches, have against a bed that a file gives */
export function groundProblems(scenario: Scenario, files: ScenarioFiles): Problem[] {
  const water = waterOf(scenario.model);
  const isFromFile = water && bathymetryDefinition(water.bathymetry.kind).reads !== undefined;
  if (!isFromFile || scenario.interventions.length + scenario.branches.length === 0) return [];
  const bed = scenarioBed(scenario, files);
  const judge = (line: Scenario): Problem[] =>
    line.interventions.flatMap((intervention, index): Problem[] => {
      const found = groundProblem(intervention, line, bed);
      return found ? [{ path: ['interventions', index, ...found.at], message: found.message }] : [];
    });
  const ofMain = judge(scenario);
  return ofMain.length > 0 ? ofMain : inBranches(scenario, judge);
}

/** For a run whose files are read already. @throws ScenarioError */
export function checkGround(scenario: Scenario, files: ScenarioFiles): void {
  const [first, ...more] = groundProblems(scenario, files);
  if (first) throw new ScenarioError([first, ...more]);
}
