/** What there is of water, energy and potential enstrophy in truth, forecast and analysis, and how far they are from balance. */
import type { ArraysOf, RealArray } from '../../compute/backend.ts';
import { defineOperator } from '../../compute/define-operator.ts';
import { coriolisAt, differenceWeight } from '../geostrophic-balance/index.ts';
import { SHALLOW_SHARE, WATER_BUDGET } from './parameters.ts';
import type { WaterBudgetsFields, WaterBudgetsParameters } from './parameters.ts';

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
export const waterBudgets = defineOperator<WaterBudgetsParameters, WaterBudgetsFields>({
  name: 'water-budgets',
  fields: { truth: 'real', forecast: 'real', analysis: 'real', bed: 'real', budgets: 'real' },
  cost: ({ nx, ny }, elementBytes) => ({ bytes: 3 * 2 * 4 * elementBytes * nx * ny, flops: 3 * 60 * nx * ny }),
  reference: waterBudgetsReference,
  wasm: async () => (await import('./wasm.ts')).waterBudgets,
  webgpu: async () => (await import('./webgpu.ts')).waterBudgets,
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

  return ({ truth, forecast, analysis, bed, budgets }: ArraysOf<WaterBudgetsFields>): void => {
    for (const [index, state] of [truth, forecast, analysis].entries()) {
      budgets.set(budgetOf(state, bed), index * WATER_BUDGET);
    }
  };
}
