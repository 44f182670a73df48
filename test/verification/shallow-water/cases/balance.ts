import { box, flatBed, meansOf, simulate } from '../../../../engine/check/shallow-water/simulation.ts';
import type { Cells, Boundary } from '../../../../engine/check/shallow-water/simulation.ts';

import { balancedVortex, geostrophicJet } from '../exact/geostrophic.ts';
import type { ExactSolution } from '../../../../engine/check/shallow-water/exact.ts';
import { order, relativeL1 } from '../../../../engine/check/measures.ts';

import type { Backend } from '../../../../engine/index.ts';
import { verificationCase } from '../../../../engine/check/shallow-water/cases.ts';

interface Balance {
  readonly exact: ExactSolution;
  readonly grid: (n: number) => Cells;
  readonly boundary: { readonly x: Boundary; readonly y: Boundary };
}

const jet: Balance = {
  exact: geostrophicJet,
  grid: (n) => box(4, n, [0, 2 * Math.PI], [-10, 10]),
  boundary: { x: 'periodic', y: 'wall' },
};

const vortex: Balance = {
  exact: balancedVortex({ gravity: 1, coriolis: 1, depth: 10, rotation: 0.5, radius: 1 }),
  grid: (n) => box(n, n, [-6, 6], [-6, 6]),
  boundary: { x: 'wall', y: 'wall' },
};

/** Relative L1 of the change of the surface from where it started, by resolution. */
async function drifts(
  backend: Backend,
  { exact, grid, boundary }: Balance,
  sides: readonly number[],
  seconds: number,
): Promise<number[]> {
  const found: number[] = [];
  for (const n of sides) {
    const cells = grid(n);
    const initial = meansOf(cells, exact);
    const problem = { cells, gravity: 1, bed: flatBed(cells, -10), coriolis: 1, boundary, initial };
    const { eta } = await simulate(backend, problem, seconds);
    found.push(relativeL1(eta, initial.eta));
  }
  return found;
}

interface Options {
  readonly jet: readonly number[];
  readonly vortex: readonly number[];
  readonly seconds: number;
}

/** A jet and a vortex in balance with the rotation (f = g = 1) stay steady. */
export const balance = verificationCase(
  'V7 geostrophic balance',
  async (backend, options: Options) => {
    const measurements = [];
    for (const [what, flow] of Object.entries({ jet, vortex })) {
      const cells = what === 'jet' ? options.jet : options.vortex;
      measurements.push({
        what: `${what}, ${cells.join('/')} cells, ${options.seconds} s: L1 order of the drift of η`,
        value: order(cells, await drifts(backend, flow, cells, options.seconds)),
        bar: { atLeast: 1.8 },
      });
    }
    return measurements;
  },
  {
    coarse: { jet: [40, 80, 160], vortex: [32, 64, 96], seconds: 2 },
    full: { jet: [50, 100, 200, 400], vortex: [48, 96, 192], seconds: 10 },
  },
);
