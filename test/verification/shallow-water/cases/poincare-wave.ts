import { box, centresOf, flatBed, meansOf, simulate } from '../../../../engine/check/shallow-water/simulation.ts';
import { poincareWave } from '../exact/poincare.ts';
import { order, relativeL2 } from '../../../../engine/check/measures.ts';

import { verificationCase } from '../../../../engine/check/shallow-water/cases.ts';

const TEN_HOURS = 36_000;

/** A Poincaré wave, 2 × 2 of them in a doubly periodic ocean of 10 000 km by 8660 km and depth 1 km, over ten hours. */
export const poincareWaveOrder = verificationCase(
  'V8 Poincaré wave',
  async (backend, { cells }: { readonly cells: readonly number[] }) => {
    const wave = {
      gravity: 9.81,
      coriolis: 1e-4,
      depth: 1000,
      lx: 1e7,
      ly: (Math.sqrt(3) / 2) * 1e7,
      waves: [2, 2] as const,
      amplitude: 0.01,
    };
    const exact = poincareWave(wave);
    const errors: number[] = [];
    for (const n of cells) {
      const grid = box(n, n, [0, wave.lx], [0, wave.ly]);
      const { eta } = await simulate(
        backend,
        {
          cells: grid,
          gravity: wave.gravity,
          bed: flatBed(grid, -wave.depth),
          coriolis: wave.coriolis,
          boundary: { x: 'periodic', y: 'periodic' },
          initial: meansOf(grid, exact),
        },
        TEN_HOURS,
      );
      errors.push(relativeL2(eta, centresOf(grid, exact, TEN_HOURS).eta));
    }
    return [
      {
        what: `${cells.join('/')} cells a side, 10 h: L2 order of η`,
        value: order(cells, errors),
        bar: { atLeast: 1.8 },
      },
    ];
  },
  { brief: { cells: [32, 64] }, coarse: { cells: [24, 48, 96] }, full: { cells: [32, 64, 128, 256] } },
);
