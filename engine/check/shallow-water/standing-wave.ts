import { box } from './cells.ts';
import { standingWave, standingWaveFrequency } from './exact/standing-wave.ts';
import { order, relativeL1 } from '../measures.ts';
import { centresOf, flatBed, meansOf } from './problem.ts';
import { simulate } from './simulation.ts';
import { verificationCase } from './verification-case.ts';

/** The (2, 1) mode of a closed box, a/H = 1e-4, after one period. */
export const standingWaveOrder = verificationCase(
  'V4 standing wave',
  async (backend, { cells }: { readonly cells: readonly number[] }) => {
    const wave = { gravity: 9.81, depth: 1, lx: 10, ly: 10, modes: [2, 1] as const, amplitude: 1e-4 };
    const exact = standingWave(wave);
    const seconds = (2 * Math.PI) / standingWaveFrequency(wave);
    const errors: number[] = [];
    for (const n of cells) {
      const grid = box(n, n, [0, wave.lx], [0, wave.ly]);
      const problem = {
        cells: grid,
        gravity: wave.gravity,
        bed: flatBed(grid, -wave.depth),
        initial: meansOf(grid, exact),
      };
      const { eta } = await simulate(backend, problem, seconds);
      errors.push(relativeL1(eta, centresOf(grid, exact, seconds).eta));
    }
    return [
      { what: `${cells.join('/')} cells a side: L1 order of η`, value: order(cells, errors), bar: { atLeast: 1.8 } },
    ];
  },
  { check: { cells: [12, 24, 48] }, coarse: { cells: [16, 32, 64] }, full: { cells: [32, 64, 128] } },
);
