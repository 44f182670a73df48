/** What there is of water, energy and potential enstrophy in truth, forecast and analysis, and how far they are from balance. */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { parameterBlock } from '../../compute/parameter-block.ts';
import { addressesOf, type WasmOperator } from '../../compute/wasm/program.ts';
import vectorReduction from '../../compute/webgpu/library/vector-reduction.wgsl?raw';
import { partsOf, type WebGpuOperator } from '../../compute/webgpu/program.ts';
import { coriolisAt, differenceWeight, type Coriolis } from '../geostrophic-balance/index.ts';
import { prepareMean } from '../statistics/index.ts';
import { sumParts } from './spectral-plan.ts';
import source from './water-budgets.wgsl?raw';

const part = partsOf(source);

/** Numbers of the budget of a state. */
export const WATER_BUDGET = 7;

/** Shallower water, as a share of the mean depth of the wet cells, has no potential vorticity: it grows beyond bounds at a shore. */
const SHALLOW_SHARE = 0.01;

interface WaterBudgetsParameters {
  readonly nx: number;
  readonly ny: number;
  /** Metres. */
  readonly dx: number;
  readonly dy: number;
  readonly periodicX: boolean;
  readonly periodicY: boolean;
  /** m/s² */
  readonly gravity: number;
  readonly coriolis: Coriolis;
  /** What component 0 of a state is. */
  readonly surface: 'depth' | 'elevation';
  /** A depth up to this is dry, metres. */
  readonly dryDepth: number;
}

const waterBudgetsFields = {
  /** States [3][ny][nx]: the depth or the surface's elevation, and the momenta hu, hv. */
  truth: 'real',
  forecast: 'real',
  analysis: 'real',
  /** Elevation of the bed, metres, [ny][nx] */
  bed: 'real',
  /** [3][WATER_BUDGET], written, of truth, forecast and analysis. */
  budgets: 'real',
} as const;

const WATER_BUDGETS = parameterBlock('WaterBudgets', {
  nx: 'u32',
  ny: 'u32',
  periodicX: 'flag',
  periodicY: 'flag',
  perDx: 'f32',
  perDy: 'f32',
  gravity: 'f32',
  /** In the middle, and its change from row to row. */
  f: 'f32',
  betaDy: 'f32',
  isElevation: 'flag',
  dryDepth: 'f32',
  /** On a GPU: `SHALLOW_SHARE`, and parts of a state that add up the levels, and the budgets. */
  shallowShare: 'f32',
  levelParts: 'u32',
  parts: 'u32',
  truth: 'pointer',
  forecast: 'pointer',
  analysis: 'pointer',
  bed: 'pointer',
  /** [3][2], mean elevation of the surface and what is shallow. */
  levels: 'pointer',
  /** [3][ny][7], float64 */
  sums: 'pointer',
});

const STATES = 3;

function numbersOf(parameters: WaterBudgetsParameters) {
  const { nx, ny, dx, dy, periodicX, periodicY, gravity, coriolis, surface, dryDepth } = parameters;
  return {
    nx,
    ny,
    periodicX,
    periodicY,
    perDx: 1 / dx,
    perDy: 1 / dy,
    gravity,
    f: coriolis.f,
    betaDy: coriolis.beta * dy,
    isElevation: surface === 'elevation',
    dryDepth,
  };
}

const waterBudgetsWasm: WasmOperator<WaterBudgetsParameters, typeof waterBudgetsFields> = (builder, parameters) => {
  const { nx, ny, dryDepth } = parameters;
  const levels = builder.reals('water-budgets.levels', 2 * STATES);
  const sums = builder.doubles('water-budgets.sums', STATES * ny * WATER_BUDGET);
  const constants = { ...numbersOf(parameters), levels: levels.address, sums: sums.address };
  const levelling = builder.program('waterLevels', WATER_BUDGETS, constants);
  const summing = builder.program('waterBudgets', WATER_BUDGETS, constants, 96);
  const parts = STATES * ny;
  return ({ truth, forecast, analysis, bed, budgets }) => {
    const places = addressesOf({ truth, forecast, analysis, bed });
    levelling.set(places);
    levelling.run(parts);
    for (let index = 0; index < STATES; index++) {
      const [wet, elevation, depth] = sumParts(sums.view(), ny, WATER_BUDGET, index);
      const count = Math.max(1, wet);
      levels.view().set([elevation / count, Math.max(dryDepth, (SHALLOW_SHARE * depth) / count)], 2 * index);
    }
    summing.set(places);
    summing.run(parts);
    for (let index = 0; index < STATES; index++) {
      budgets.set(
        sumParts(sums.view(), ny, WATER_BUDGET, index).map((sum) => sum / (nx * ny)),
        index * WATER_BUDGET,
      );
    }
  };
};

const WORKGROUP = 256;
/** Workgroups of a state: each has the levels to add up before it begins. */
const MOST_WATER_PARTS = 1024;

const waterBudgetsWebGpu: WebGpuOperator<WaterBudgetsParameters, typeof waterBudgetsFields> = async (
  builder,
  parameters,
) => {
  const { nx, ny } = parameters;
  const cells = nx * ny;
  const parts = Math.min(MOST_WATER_PARTS, Math.ceil(cells / WORKGROUP));
  const levelParts = Math.min(WORKGROUP, parts);
  const [levelling, summing, recordMean] = await Promise.all([
    builder.program({
      label: 'consistency.water-levels',
      code: [vectorReduction, WATER_BUDGETS.wgsl, part('water-library'), part('water-levels')],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'write'],
    }),
    builder.program({
      label: 'consistency.water-budgets',
      code: [vectorReduction, WATER_BUDGETS.wgsl, part('water-library'), part('water-budgets')],
      bindings: ['uniform', 'read', 'read', 'read', 'read', 'read', 'write'],
    }),
    prepareMean(builder, STATES * WATER_BUDGET, parts, cells),
  ]);
  const uniform = builder.uniform('water-parameters', WATER_BUDGETS, {
    ...numbersOf(parameters),
    shallowShare: SHALLOW_SHARE,
    levelParts,
    parts,
  });
  const levels = builder.scratch('water-levels', 'real', 4 * STATES * levelParts);
  const partial = builder.scratch('water-parts', 'real', STATES * WATER_BUDGET * parts);
  return (recorder, { truth, forecast, analysis, bed, budgets }) => {
    recorder.dispatch(levelling, [uniform, truth, forecast, analysis, bed, levels], [levelParts, 1, STATES]);
    recorder.dispatch(summing, [uniform, truth, forecast, analysis, bed, levels, partial], [parts, 1, STATES]);
    recordMean(recorder, partial, budgets);
  };
};

/**
 * Budgets of each state, as sums over the wet cells (h > `dryDepth`) divided by the number of all cells:
 *
 * 0. h, m;
 * 1. ½ (h|u|² + g (η − η̄)²), m³/s², η̄ the mean elevation of the surface over the wet cells;
 * 2. ½ (ζ + f)²/h, 1/(m s²), ζ = ∂v/∂x − ∂u/∂y, of water deeper than a hundredth of the mean;
 * 3. |∇·(hu, hv)| = |∂η/∂t|, m/s;
 * 4. h|f k×u + g∇η|² and 5. h|g∇η|², m³/s⁴: with one f, f² times the energies of u − u_g and of u_g, twice over;
 * 6. 1, the share of the cells that are wet.
 *
 * Differences are centred, at walls and open ends one-sided; the water of a dry cell is at rest, and its surface is that of the
 * cell beside it.
 */
export const waterBudgets = defineOperator<WaterBudgetsParameters, typeof waterBudgetsFields>({
  name: 'water-budgets',
  fields: waterBudgetsFields,
  cost: ({ nx, ny }, elementBytes) => ({ bytes: 3 * 2 * 4 * elementBytes * nx * ny, flops: 3 * 60 * nx * ny }),
  reference: waterBudgetsReference,
  wasm: async () => waterBudgetsWasm,
  webgpu: async () => waterBudgetsWebGpu,
});

const OFFSETS = [-1, 0, 1] as const;

/** Means over the wet cells: of the surface's elevation, and of the depth. */
function levelsOf(depthAt: (cell: number) => number, bed: RealArray, cells: number, dryDepth: number) {
  let [wet, elevation, depth] = [0, 0, 0];
  for (let cell = 0; cell < cells; cell++) {
    const h = depthAt(cell);
    if (!(h > dryDepth)) continue;
    wet += 1;
    elevation += h + bed[cell];
    depth += h;
  }
  return { elevation: elevation / Math.max(1, wet), depth: depth / Math.max(1, wet) };
}

function waterBudgetsReference(parameters: WaterBudgetsParameters) {
  const { nx, ny, dx, dy, periodicX, periodicY, gravity, coriolis, surface, dryDepth } = parameters;
  const cells = nx * ny;

  /** ∂/∂x and ∂/∂y at a cell of what is at others, as seen from there. */
  const gradient = (i: number, j: number, at: (cell: number) => number): readonly [number, number] => {
    let [alongX, alongY] = [0, 0];
    for (const d of OFFSETS) {
      const x = differenceWeight(i, d, nx, periodicX);
      const y = differenceWeight(j, d, ny, periodicY);
      if (x !== 0) alongX += (x * at(j * nx + ((i + d + nx) % nx))) / dx;
      if (y !== 0) alongY += (y * at(((j + d + ny) % ny) * nx + i)) / dy;
    }
    return [alongX, alongY];
  };

  const budgetOf = (state: RealArray, bed: RealArray): Float64Array => {
    const depthAt = (cell: number): number => (surface === 'depth' ? state[cell] : state[cell] - bed[cell]);
    const isWet = (cell: number): boolean => depthAt(cell) > dryDepth;
    const momentum = (component: number) => (cell: number) => (isWet(cell) ? state[component * cells + cell] : 0);
    const levels = levelsOf(depthAt, bed, cells, dryDepth);
    const shallow = Math.max(dryDepth, SHALLOW_SHARE * levels.depth);
    const velocity = (component: number) => (cell: number) =>
      depthAt(cell) > shallow ? state[component * cells + cell] / depthAt(cell) : 0;
    const sums = new Float64Array(WATER_BUDGET);
    for (let cell = 0; cell < cells; cell++) {
      if (!isWet(cell)) continue;
      const [i, j] = [cell % nx, Math.floor(cell / nx)];
      const h = depthAt(cell);
      const eta = h + bed[cell] - levels.elevation;
      const [u, v] = [state[cells + cell] / h, state[2 * cells + cell] / h];
      const f = coriolisAt(coriolis, j, { ny, dy });
      const [vx] = gradient(i, j, velocity(2));
      const [, uy] = gradient(i, j, velocity(1));
      const [hux] = gradient(i, j, momentum(1));
      const [, hvy] = gradient(i, j, momentum(2));
      const [sx, sy] = gradient(i, j, (at) => (isWet(at) ? depthAt(at) + bed[at] - levels.elevation : eta));
      const [gx, gy] = [gravity * sx, gravity * sy];
      sums[0] += h;
      sums[1] += 0.5 * (h * (u * u + v * v) + gravity * eta * eta);
      if (h > shallow) sums[2] += (0.5 * (vx - uy + f) ** 2) / h;
      sums[3] += Math.abs(hux + hvy);
      sums[4] += h * ((gx - f * v) ** 2 + (gy + f * u) ** 2);
      sums[5] += h * (gx * gx + gy * gy);
      sums[6] += 1;
    }
    return sums.map((sum) => sum / cells);
  };

  return ({ truth, forecast, analysis, bed, budgets }: ArraysOf<typeof waterBudgetsFields>): void => {
    for (const [index, state] of [truth, forecast, analysis].entries()) {
      budgets.set(budgetOf(state, bed), index * WATER_BUDGET);
    }
  };
}
