import { box, meansOver, centresOf, meansOf, simulate } from '../../../../engine/check/shallow-water/simulation.ts';
import { paraboloid, planarFrequency, thackerPlanar } from '../exact/thacker.ts';
import { relativeL1 } from '../../../../engine/check/measures.ts';

import { verificationCase } from '../../../../engine/check/shallow-water/cases.ts';

const BARS: ReadonlyMap<number, number> = new Map([
  [65, 0.063],
  [129, 0.0173],
  [257, 0.0051],
]);

/** Thacker's planar surface in the paraboloid basin h₀ = 0.1 m, a = 1 m, σ = 0.5 m, after three periods. */
export const planarBasin = verificationCase(
  'V5 planar surface in a basin',
  async (backend, { cells }: { readonly cells: readonly number[] }) => {
    const basin = { gravity: 9.81, depth: 0.1, radius: 1 };
    const exact = thackerPlanar(basin, 0.5);
    const seconds = (3 * 2 * Math.PI) / planarFrequency(basin);
    const measurements = [];
    for (const n of cells) {
      const grid = box(n, n, [-2, 2], [-2, 2]);
      const problem = {
        cells: grid,
        gravity: basin.gravity,
        bed: meansOver(grid, paraboloid(basin)),
        initial: meansOf(grid, exact),
      };
      const { h } = await simulate(backend, problem, seconds);
      const bar = BARS.get(n);
      if (bar === undefined) throw new RangeError(`no bar is known for ${n} cells`);
      measurements.push({
        what: `${n}², ${seconds.toFixed(4)} s: L1 of h`,
        value: relativeL1(h, centresOf(grid, exact, seconds).h),
        bar: { atMost: bar },
      });
    }
    return measurements;
  },
  { coarse: { cells: [65] }, full: { cells: [65, 129, 257] } },
);
