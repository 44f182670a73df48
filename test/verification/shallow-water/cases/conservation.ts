import { box, meansOver, stillWater, simulate } from '../../../../engine/check/shallow-water/simulation.ts';

import { verificationCase } from '../../../../engine/check/shallow-water/cases.ts';

const total = (h: Float64Array) => h.reduce((sum, value) => sum + value, 0);

/** Water piled up at one side of a bowl with an island, that runs up the shores and back: cells of 1 m, walls. */
export const conservation = verificationCase(
  'V10 mass',
  async (
    backend,
    { side, steps, timeStep }: { readonly side: number; readonly steps: number; readonly timeStep: number },
  ) => {
    const cells = box(side, side, [0, side], [0, side]);
    const bed = meansOver(cells, (x, y) => {
      const r = Math.hypot(x - side / 2, y - side / 2) / (side / 2);
      return -1 + 1.5 * r * r + 1.3 * Math.exp(-40 * r * r);
    });
    const initial = stillWater(cells, bed, (x) => 0.6 * (0.5 - x / side));
    const { h } = await simulate(backend, { cells, gravity: 9.81, bed, timeStep, initial }, steps * timeStep);
    const wetAtSomeTime = h.filter((depth, cell) => depth > 0 !== initial.h[cell] > 0).length;
    const before = total(initial.h);
    return [
      {
        what: `${side}², ${steps} steps: relative drift of the volume`,
        value: Math.abs(total(h) - before) / before,
        bar: { atMost: 1e-6 },
      },
      { what: 'smallest h, m', value: Math.min(...h), bar: { atLeast: 0 } },
      { what: 'cells that became wet or dry', value: wetAtSomeTime, bar: { atLeast: 1 } },
    ];
  },
  {
    brief: { side: 24, steps: 500, timeStep: 0.04 },
    coarse: { side: 24, steps: 10_000, timeStep: 0.04 },
    full: { side: 100, steps: 10_000, timeStep: 0.04 },
  },
);
