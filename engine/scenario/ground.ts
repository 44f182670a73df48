/** What interventions have against the bed: gauges on land, water that is not there to be taken, an island that leaves no water. */
import { bathymetryDefinition } from '../bathymetry/index.ts';
import { ScenarioError } from '../errors.ts';
import { waterOf } from '../model-kinds/index.ts';
import { tidy } from '../settings/index.ts';
import type { Path, Problem, ScenarioFiles } from '../settings/index.ts';
import { addMound, modelGrid, scenarioBed } from './bed.ts';
import { inBranches } from './branches.ts';
import type { Intervention, InterventionOf, Scenario } from './schema.ts';

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
  addMound(change, modelGrid(scenario), { ...drop, height: 1 });
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
