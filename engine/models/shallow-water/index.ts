/** The shallow-water models: one constructor, and the schemes that it chooses among. */
import { ScenarioError, type Path, type Problem } from '../../errors.ts';
import { prepareLinearSteps, type Grid, type Model, type Propagator } from '../model.ts';
import { createPropagator } from '../propagator.ts';
import { cellWaveRate, largestRate, type Boundary } from './basin.ts';
import { centralUpwind, followCentralUpwind, keptLayout, linearCentralUpwind } from './central-upwind/index.ts';
import { linearFlatBottom } from './flat-bottom/index.ts';
import { laxWendroff } from './lax-wendroff/index.ts';
import { repair, speedLimit } from './repair.ts';
import { DAMPING, richtmyer } from './richtmyer/index.ts';

export type { Boundary } from './basin.ts';

/** The schemes of the shallow-water model, as a user chooses among them. Their numerics are in the folders beside this file. */

interface SchemeFacts {
  /** One line for the settings. */
  readonly help: string;
  /** Whether it knows a flat bottom only, without Coriolis force, friction or dry cells. */
  readonly flatBottom: boolean;
  /** Planes that it works with on the host, for the truth and for the members alike; on a GPU it needs none. */
  readonly hostPlanes: number;
  /** The same of its linearised step, tangent and adjoint together. */
  readonly linearHostPlanes: number;
  /** Reals that are kept of a step for its derivative. */
  readonly linearKept: (grid: { readonly nx: number; readonly ny: number }) => number;
}

export const SCHEMES = {
  'lax-wendroff': {
    help: 'Moler’s, half steps on faces, for reproduction: it amplifies diagonal waves at every time step, by C²/(16·(1 − C²)) a step, and is of first order along diagonals; flat bottom',
    flatBottom: true,
    hostPlanes: 10,
    linearHostPlanes: 28,
    linearKept: () => 0,
  },
  richtmyer: {
    help: 'its stable relative, half steps at corners: second order in every direction, stable to a Courant number of 1/√2; flat bottom',
    flatBottom: true,
    hostPlanes: 12,
    linearHostPlanes: 28,
    linearKept: () => 0,
  },
  'central-upwind': {
    help: 'second order, well balanced, with bottom, dry land, Coriolis force and friction',
    flatBottom: false,
    hostPlanes: 21,
    linearHostPlanes: 140,
    linearKept: (grid) => keptLayout(grid).length,
  },
} as const satisfies Readonly<Record<string, SchemeFacts>>;

export type Scheme = keyof typeof SCHEMES;

export const SCHEME_NAMES = Object.keys(SCHEMES) as [Scheme, ...Scheme[]];

export interface ShallowWaterDescription {
  readonly scheme: Scheme;
  /** `periodicX`, `periodicY` must agree with `boundary`. */
  readonly grid: Grid;
  /** m/s² */
  readonly gravity: number;
  /** Seconds, or "auto": `courant` cells a step for the fastest wave of the ensemble. */
  readonly timeStep: number | 'auto';
  /** Courant number of "auto", max over x and y; a step is halved above 5/4 of it. Default 0.4. */
  readonly courant?: number;
  /** f-plane and β-plane: f + β·(y − y of the middle), 1/s and 1/(m s). Default 0. */
  readonly coriolis?: { readonly f: number; readonly beta: number };
  /** Manning's n, s/m^⅓. Default 0. */
  readonly manning?: number;
  /** Linear drag r of the momenta at the bottom, 1/s (basin.ts). Default 0. */
  readonly drag?: number;
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
const DEFAULT_COURANT = 0.4;
/** What to do when a forecast of Moler's scheme has diverged. */
const LAX_WENDROFF_ADVICE =
  'The scheme "lax-wendroff" amplifies diagonal waves at every time step, the more slowly the shorter it is; ' +
  'use the scheme "richtmyer" or "central-upwind", or a shorter model.timeStep and run.';
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
    drag = 0,
    boundary = { x: 'wall', y: 'wall' },
  } = description;
  const cells = grid.nx * grid.ny;
  const bed = description.bed ?? new Float64Array(cells);
  const dryDepth = description.dryDepth ?? defaultDryDepth(bed);
  const problems = problemsOf({ ...description, courant, coriolis, manning, drag, boundary, dryDepth, bed });
  if (problems.length > 0) throw new ScenarioError(problems);
  const { nx, ny, dx, dy } = grid;
  const shared = { nx, ny, dx, dy, gravity, timeStep, courant, boundary, drag, steps: 1, begins: true };
  // With dry cells the state has the elevation of the surface in place of the depth.
  const elevation = !SCHEMES[scheme].flatBottom;

  const assertLength = (array: Float64Array): void => {
    if (array.length === 0 || array.length % (3 * cells) !== 0) {
      throw new RangeError(`${array.length} numbers are not h, hu, hv on ${nx} × ${ny} cells (${3 * cells} a member)`);
    }
  };

  /** Largest wave rate of states whose first component is the depth, or the elevation of the surface. */
  const rateOf = (states: Float64Array, isElevation: boolean): number =>
    largestRate({ members: states.length / (3 * cells), nx, ny, dx, dy, gravity }, (i, cell) => {
      const h = isElevation ? states[i] - bed[cell] : states[i];
      if (!(h > dryDepth)) return 0;
      return cellWaveRate({ dx, dy, gravity }, h, states[i + cells] / h, states[i + 2 * cells] / h);
    });

  return {
    grid,
    variables: VARIABLES,
    surface: elevation ? 'elevation' : 'depth',
    ...(elevation && { dryDepth }),
    bed,
    toState(external) {
      assertLength(external);
      const state = external.slice();
      if (!elevation) return state;
      for (let depth = 0; depth < state.length; depth += VARIABLES.length * cells) {
        for (let cell = 0; cell < cells; cell++) state[depth + cell] += bed[cell];
      }
      return state;
    },
    fromState(state) {
      assertLength(state);
      return state.map((value, i) =>
        component(i, cells) === 0 ? Math.max(elevation ? value - bed[i % cells] : value, 0) : value,
      );
    },
    waveRate(external) {
      assertLength(external);
      return rateOf(external, false);
    },
    linearKept: SCHEMES[scheme].linearKept(grid),
    linearise(backend, seconds) {
      const basin = { nx, ny, dx, dy, gravity, boundary, drag, timeStep: seconds };
      switch (scheme) {
        case 'lax-wendroff':
          return prepareLinearSteps(backend, linearFlatBottom, { ...basin, places: 'faces', damping: 0 });
        case 'richtmyer':
          return prepareLinearSteps(backend, linearFlatBottom, { ...basin, places: 'corners', damping: DAMPING });
        case 'central-upwind':
          return prepareLinearSteps(
            backend,
            linearCentralUpwind,
            { ...basin, bed, coriolis, manning, dryDepth },
            followCentralUpwind,
          );
        default:
          return scheme satisfies never;
      }
    },
    async prepare(backend, members, pace, signal): Promise<Propagator> {
      const repairing = await backend.prepare(repair, {
        members,
        cells,
        floor: elevation ? 0 : dryDepth,
        dryDepth,
        bed: elevation ? bed : undefined,
      });
      const waveRate = (states: Float64Array): number => rateOf(states, elevation);
      const common = {
        backend,
        grid,
        variables: VARIABLES,
        repair: repairing,
        pace,
        waveRate,
        signal,
        takesCompanion: true,
      };
      const flat = { ...shared, members };
      switch (scheme) {
        case 'lax-wendroff':
          return createPropagator({ ...common, operator: laxWendroff, parameters: flat, advice: LAX_WENDROFF_ADVICE });
        case 'richtmyer':
          return createPropagator({ ...common, operator: richtmyer, parameters: flat });
        case 'central-upwind':
          return createPropagator({
            ...common,
            speedLimit: await backend.prepare(speedLimit, { ...grid, members, gravity, dryDepth, bed }),
            operator: centralUpwind,
            parameters: { ...flat, bed, coriolis, manning, dryDepth },
          });
        default:
          return scheme satisfies never;
      }
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

function problemsOf(description: Required<ShallowWaterDescription>): Problem[] {
  const { scheme, grid, gravity, timeStep, courant, coriolis, manning, drag, boundary, bed, dryDepth } = description;
  const problems: Problem[] = [];
  const require = (holds: boolean, path: Path, message: string): void => {
    if (!holds) problems.push({ path, message });
  };
  for (const name of ['nx', 'ny'] as const)
    require(Number.isInteger(grid[name]) && grid[name] > 0, [
      'grid',
      name,
    ], `found ${grid[name]}, must be a whole number of at least 1`);
  for (const name of ['dx', 'dy'] as const)
    require(positive(grid[name]), ['grid', name], `found ${grid[name]}, must be above 0 m`);
  require(positive(gravity), ['model', 'gravity'], `found ${gravity}, must be above 0 m/s²`);
  require(timeStep === 'auto' || positive(timeStep), [
    'model',
    'timeStep',
  ], `found ${timeStep}, must be above 0 s, or "auto"`);
  require(courant > 0 && courant <= 1, ['model', 'courant'], `found ${courant}, must be above 0 and at most 1`);
  require(dryDepth > 0 && dryDepth < Infinity, ['dryDepth'], `found ${dryDepth}, must be above 0 m`);
  require(manning >= 0 && manning < Infinity, [
    'model',
    'friction',
    'manning',
  ], `found ${manning}, must not be negative`);
  require(drag >= 0 && drag < Infinity, ['model', 'friction', 'linear'], `found ${drag}, must not be negative`);
  require(Number.isFinite(coriolis.f), ['model', 'coriolis', 'f'], `found ${coriolis.f}, must be a number`);
  require(Number.isFinite(coriolis.beta), ['model', 'coriolis', 'beta'], `found ${coriolis.beta}, must be a number`);
  require(grid.periodicX === (boundary.x === 'periodic') && grid.periodicY === (boundary.y === 'periodic'), [
    'model',
    'boundary',
  ], `found ${boundary.x}, ${boundary.y} on a grid with periodicX ${grid.periodicX}, periodicY ${grid.periodicY}; they must agree`);
  if (bed.length !== grid.nx * grid.ny) {
    const message = `found ${bed.length} elevations, the grid has ${grid.nx} × ${grid.ny} cells`;
    problems.push({ path: ['model', 'bathymetry'], message });
  } else {
    require(bed.every(Number.isFinite), ['model', 'bathymetry'], 'found an elevation that is not a number');
  }
  if (SCHEMES[scheme].flatBottom) {
    const remedy = 'use scheme "central-upwind"';
    require(bed.every((elevation) => elevation === bed[0]), [
      'model',
      'bathymetry',
    ], `scheme "${scheme}" has a flat bottom; ${remedy}`);
    require(manning === 0, [
      'model',
      'friction',
      'manning',
    ], `scheme "${scheme}" knows linear friction alone, found ${manning}; ${remedy}`);
    require(coriolis.f === 0 && coriolis.beta === 0, [
      'model',
      'coriolis',
    ], `scheme "${scheme}" does not rotate, found f ${coriolis.f}, beta ${coriolis.beta}; ${remedy}`);
  }
  return problems;
}
