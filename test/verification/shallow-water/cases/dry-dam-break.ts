import { row, centresOf, flatBed, meansOf, simulate } from '../../../../engine/check/shallow-water/simulation.ts';
import { ritter } from '../exact/ritter.ts';
import { relativeL1 } from '../../../../engine/check/measures.ts';

import { verificationCase } from '../../../../engine/check/shallow-water/cases.ts';

const BARS: ReadonlyMap<number, number> = new Map([
  [400, 4.3e-4],
  [800, 1.35e-4],
  [1600, 4.2e-5],
]);

/** Ritter's dam break, 5 mm over a dry bed in a box of 10 m, from the exact profile 1 s after the break on for 6 s. */
export const dryDamBreak = verificationCase(
  'V3 dam break on a dry bed',
  async (backend, { cells }: { readonly cells: readonly number[] }) => {
    const exact = ritter({ gravity: 9.81, dam: 5, left: 0.005 });
    const measurements = [];
    for (const nx of cells) {
      const line = row(nx, [0, 10]);
      const problem = { cells: line, gravity: 9.81, bed: flatBed(line, 0), initial: meansOf(line, exact, 1) };
      const { h } = await simulate(backend, problem, 6);
      const bar = BARS.get(nx);
      if (bar === undefined) throw new RangeError(`no bar is known for ${nx} cells`);
      measurements.push(
        { what: `${nx} cells: L1 of h`, value: relativeL1(h, centresOf(line, exact, 7).h), bar: { atMost: bar } },
        { what: `${nx} cells: smallest h, m`, value: Math.min(...h), bar: { atLeast: 0 } },
      );
    }
    return measurements;
  },
  { coarse: { cells: [400, 800] }, full: { cells: [400, 800, 1600] } },
);
