import { box, meansOver, centresOf, meansOf, simulate } from '../../../../engine/check/shallow-water/simulation.ts';
import { axisymmetricFrequency, paraboloid, thackerAxisymmetric } from '../exact/thacker.ts';
import { order, relativeL1 } from '../../../../engine/check/measures.ts';

import { verificationCase } from '../../../../engine/check/shallow-water/cases.ts';

/** Thacker's axisymmetric surface in the basin of V5, its shore starting at r₀ = 0.8 m, after `periods` periods. */
export const axisymmetricBasin = verificationCase(
  'V6 axisymmetric surface in a basin',
  async (backend, { cells, periods }: { readonly cells: readonly number[]; readonly periods: number }) => {
    const basin = { gravity: 9.81, depth: 0.1, radius: 1 };
    const exact = thackerAxisymmetric(basin, 0.8);
    const seconds = (periods * 2 * Math.PI) / axisymmetricFrequency(basin);
    const errors: number[] = [];
    for (const n of cells) {
      const grid = box(n, n, [-2, 2], [-2, 2]);
      const problem = {
        cells: grid,
        gravity: basin.gravity,
        bed: meansOver(grid, paraboloid(basin)),
        initial: meansOf(grid, exact),
      };
      const { h } = await simulate(backend, problem, seconds);
      errors.push(relativeL1(h, centresOf(grid, exact, seconds).h));
    }
    return [
      {
        what: `${cells.join('/')} cells a side, ${periods} periods: L1 order of h`,
        value: order(cells, errors),
        bar: { atLeast: 1.3 },
      },
    ];
  },
  {
    brief: { cells: [33, 65], periods: 1 },
    coarse: { cells: [33, 65], periods: 1 },
    full: { cells: [65, 129, 257], periods: 3 },
  },
);
