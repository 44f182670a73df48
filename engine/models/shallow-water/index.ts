/** The shallow-water models: one constructor, two schemes. */
import type { Backend } from '../../compute/backend.ts';
import { ScenarioError } from '../../errors.ts';
import type { Grid, Model, Propagator } from '../model.ts';
import { createPropagator } from '../propagator.ts';
import type { Boundary } from './boundary.ts';
import { centralUpwind } from './central-upwind/index.ts';
import { laxWendroff } from './lax-wendroff/index.ts';
import { repair } from './repair/index.ts';

export type { Boundary } from './boundary.ts';

export type ShallowWaterScheme = 'lax-wendroff' | 'central-upwind';

export interface ShallowWaterDescription {
  readonly scheme: ShallowWaterScheme;
  /** `periodicX`, `periodicY` must agree with `boundary`. */
  readonly grid: Grid;
  /** m/s² */
  readonly gravity: number;
  /** Seconds, or "auto": `courant` cells a step for the fastest wave of the ensemble. */
  readonly timeStep: number | 'auto';
  /** Largest Courant number with "auto", max over x and y. Default 0.45: both schemes are stable in two dimensions to 0.5. */
  readonly courant?: number;
  /** f-plane and β-plane: f + β·(y − y of the middle), 1/s and 1/(m s). Default 0. */
  readonly coriolis?: { readonly f: number; readonly beta: number };
  /** Manning's n, s/m^⅓. Default 0. */
  readonly manning?: number;
  /** Default wall. */
  readonly boundary?: { readonly x: Boundary; readonly y: Boundary };
  /** Elevation of the bed at cell centres, metres, [y][x]. Default flat at 0. */
  readonly bed?: Float64Array;
  /** A depth up to this, metres, is taken as dry. Default: 1e-6 of the largest |bed|, at least 1e-9. */
  readonly dryDepth?: number;
}

/** Smallest default of the dry depth, metres, and its share of the largest elevation: about eight units of float32. */
const SMALLEST_DRY_DEPTH = 1e-9;
const DRY_SHARE = 1e-6;
const DEFAULT_COURANT = 0.45;
const VARIABLES = [
  { name: 'h', unit: 'm' },
  { name: 'hu', unit: 'm²/s' },
  { name: 'hv', unit: 'm²/s' },
] as const;

/** @throws ScenarioError naming every setting that is out of range or that the scheme cannot honour */
export function createShallowWater(description: ShallowWaterDescription): Model {
  const {
    scheme,
    grid,
    gravity,
    timeStep,
    courant = DEFAULT_COURANT,
    coriolis = { f: 0, beta: 0 },
    manning = 0,
    boundary = { x: 'wall', y: 'wall' },
  } = description;
  const cells = grid.nx * grid.ny;
  const bed = description.bed ?? new Float64Array(cells);
  const dryDepth = description.dryDepth ?? defaultDryDepth(bed);
  const problems = problemsOf({ ...description, courant, coriolis, manning, boundary, dryDepth, bed });
  if (problems.length > 0) throw new ScenarioError(problems);
  const { nx, ny, dx, dy } = grid;
  const shared = { nx, ny, dx, dy, gravity, timeStep, courant, boundary, steps: 1 };
  const elevation = scheme === 'central-upwind';

  const assertLength = (array: Float64Array): void => {
    if (array.length === 0 || array.length % (3 * cells) !== 0) {
      throw new RangeError(`${array.length} numbers are not h, hu, hv on ${nx} × ${ny} cells (${3 * cells} a member)`);
    }
  };

  return {
    grid,
    variables: VARIABLES,
    surface: elevation ? 'elevation' : 'depth',
    bed,
    toState(external) {
      assertLength(external);
      if (!elevation) return external.slice();
      return external.map((value, i) => (component(i, cells) === 0 ? value + bed[i % cells] : value));
    },
    fromState(state) {
      assertLength(state);
      return state.map((value, i) =>
        component(i, cells) === 0 ? Math.max(elevation ? value - bed[i % cells] : value, 0) : value,
      );
    },
    async prepare(backend: Backend, members: number): Promise<Propagator> {
      const repairing = await backend.prepare(repair, {
        members,
        cells,
        floor: elevation ? 0 : dryDepth,
        dryDepth,
        bed: elevation ? bed : undefined,
      });
      const common = { backend, grid, variables: VARIABLES, repair: repairing };
      return scheme === 'central-upwind'
        ? createPropagator({
            ...common,
            operator: centralUpwind,
            parameters: { ...shared, members, bed, coriolis, manning, dryDepth },
          })
        : createPropagator({ ...common, operator: laxWendroff, parameters: { ...shared, members } });
    },
  };
}

function defaultDryDepth(bed: Float64Array): number {
  return bed.reduce((largest, elevation) => Math.max(largest, DRY_SHARE * Math.abs(elevation)), SMALLEST_DRY_DEPTH);
}

/** Which variable the element `i` of [member][variable][y][x] belongs to. */
function component(i: number, cells: number): number {
  return Math.floor(i / cells) % 3;
}

function positive(value: number): boolean {
  return value > 0 && value < Infinity;
}

function problemsOf(description: Required<ShallowWaterDescription>): string[] {
  const { scheme, grid, gravity, timeStep, courant, coriolis, manning, boundary, bed, dryDepth } = description;
  const problems: string[] = [];
  const require = (holds: boolean, problem: string): void => {
    if (!holds) problems.push(problem);
  };
  for (const name of ['nx', 'ny'] as const)
    require(Number.isInteger(grid[name]) &&
      grid[name] > 0, `grid.${name}: found ${grid[name]}, must be a whole number of at least 1`);
  for (const name of ['dx', 'dy'] as const)
    require(positive(grid[name]), `grid.${name}: found ${grid[name]}, must be above 0 m`);
  require(positive(gravity), `model.gravity: found ${gravity}, must be above 0 m/s²`);
  require(timeStep === 'auto' || positive(timeStep), `model.timeStep: found ${timeStep}, must be above 0 s, or "auto"`);
  require(courant > 0 && courant <= 1, `model.courant: found ${courant}, must be above 0 and at most 1`);
  require(dryDepth > 0 && dryDepth < Infinity, `dryDepth: found ${dryDepth}, must be above 0 m`);
  require(manning >= 0 && manning < Infinity, `model.friction.manning: found ${manning}, must not be negative`);
  require(Number.isFinite(coriolis.f), `model.coriolis.f: found ${coriolis.f}, must be a number`);
  require(Number.isFinite(coriolis.beta), `model.coriolis.beta: found ${coriolis.beta}, must be a number`);
  require(grid.periodicX === (boundary.x === 'periodic') &&
    grid.periodicY ===
      (boundary.y ===
        'periodic'), `model.boundary: found ${boundary.x}, ${boundary.y} on a grid with periodicX ${grid.periodicX}, periodicY ${grid.periodicY}; they must agree`);
  if (bed.length !== grid.nx * grid.ny) {
    problems.push(`model.bathymetry: found ${bed.length} elevations, the grid has ${grid.nx} × ${grid.ny} cells`);
  } else {
    require(bed.every(Number.isFinite), 'model.bathymetry: found an elevation that is not a number');
  }
  if (scheme === 'lax-wendroff') {
    const remedy = 'use scheme "central-upwind"';
    require(bed.every(
      (elevation) => elevation === bed[0],
    ), `model.bathymetry: scheme "lax-wendroff" has a flat bottom; ${remedy}`);
    require(manning ===
      0, `model.friction.manning: scheme "lax-wendroff" has no friction, found ${manning}; ${remedy}`);
    require(coriolis.f === 0 &&
      coriolis.beta ===
        0, `model.coriolis: scheme "lax-wendroff" does not rotate, found f ${coriolis.f}, beta ${coriolis.beta}; ${remedy}`);
  }
  return problems;
}
