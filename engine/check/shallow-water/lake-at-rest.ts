import { atCentres, box } from './cells.ts';
import type { Bed } from './exact/solution.ts';
import { largest } from '../measures.ts';
import { stillWater } from './problem.ts';
import { simulate } from './simulation.ts';
import { verificationCase } from './verification-case.ts';

const wavy: Bed = (x, y) => -(1 + 0.2 * (Math.cos(y / (4 * Math.PI)) + Math.sin(x / (4 * Math.PI))));

/** A conical island in the middle of a box of `side` metres; its top is half a metre above the lake. */
const island =
  (side: number): Bed =>
  (x, y) =>
    Math.max(-1, 0.5 - (6 * Math.hypot(x - side / 2, y - side / 2)) / side);

/**
 * Water at rest at z = 0 on a rotating plane, over a wavy bed and around an island, stays at rest: cells of 1 m, steps of
 * 0.1 s, walls; the island in half the side. The elevation is looked at where the water started.
 */
export const lakeAtRest = verificationCase(
  'V1 lake at rest',
  async (backend, { side, steps }: { readonly side: number; readonly steps: number }) => {
    const lakes = [
      { where: 'wavy bed', side, elevation: wavy },
      { where: 'island', side: side / 2, elevation: island(side / 2) },
    ];
    const measurements = [];
    for (const { where, side, elevation } of lakes) {
      const cells = box(side, side, [-0.5, side - 0.5], [-0.5, side - 0.5]);
      const bed = atCentres(cells, elevation);
      const initial = stillWater(cells, bed, () => 0);
      const problem = { cells, gravity: 9.81, bed, coriolis: 0.2, timeStep: 0.1, initial };
      const { eta, hu, hv } = await simulate(backend, problem, 0.1 * steps);
      measurements.push(
        {
          what: `${where}, ${side}², ${steps} steps: largest size of η, m`,
          value: largest(eta.filter((_, cell) => initial.h[cell] > 0)),
          bar: { atMost: 5e-7 },
        },
        {
          what: `${where}: largest size of hu, hv, m²/s`,
          value: Math.max(largest(hu), largest(hv)),
          bar: { atMost: 5e-6 },
        },
      );
    }
    return measurements;
  },
  { brief: { side: 28, steps: 200 }, coarse: { side: 50, steps: 1000 }, full: { side: 200, steps: 10_000 } },
);
