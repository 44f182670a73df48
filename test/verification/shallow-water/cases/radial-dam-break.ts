import { box, flatBed, stillWater, simulate } from '../../../../engine/check/shallow-water/simulation.ts';
import type { Cells, CellState } from '../../../../engine/check/shallow-water/simulation.ts';

import { verificationCase } from '../../../../engine/check/shallow-water/cases.ts';

/** The largest difference of the state from its image under a map of cells, given what each image has to equal. */
function asymmetry(
  { nx, ny }: Cells,
  { h, hu, hv }: CellState,
  image: (i: number, j: number) => number,
  imageOfMomentum: (hu: number, hv: number) => readonly [number, number],
): number {
  let worst = 0;
  for (let j = 0; j < ny; j++) {
    for (let i = 0; i < nx; i++) {
      const [here, there] = [j * nx + i, image(i, j)];
      const [mu, mv] = imageOfMomentum(hu[here], hv[here]);
      const difference = Math.max(Math.abs(h[here] - h[there]), Math.abs(mu - hu[there]), Math.abs(mv - hv[there]));
      if (Number.isNaN(difference)) return NaN;
      worst = Math.max(worst, difference);
    }
  }
  return worst;
}

/** A round column of water falls into a square box: what follows keeps the mirrors and the diagonal of the square. */
export const radialDamBreak = verificationCase(
  'V11 radial dam break',
  async (backend, { side, seconds }: { readonly side: number; readonly seconds: number }) => {
    const cells = box(side, side, [-2.5, 2.5], [-2.5, 2.5]);
    const bed = flatBed(cells, 0);
    const initial = stillWater(cells, bed, (x, y) => (Math.hypot(x, y) <= 0.5 ? 2 : 1));
    const state = await simulate(backend, { cells, gravity: 1, bed, initial }, seconds);
    const last = side - 1;
    const symmetries = {
      'mirror in x': asymmetry(
        cells,
        state,
        (i, j) => j * side + last - i,
        (hu, hv) => [-hu, hv],
      ),
      'mirror in y': asymmetry(
        cells,
        state,
        (i, j) => (last - j) * side + i,
        (hu, hv) => [hu, -hv],
      ),
      transpose: asymmetry(
        cells,
        state,
        (i, j) => i * side + j,
        (hu, hv) => [hv, hu],
      ),
    };
    return Object.entries(symmetries).map(([what, value]) => ({
      what: `${side}², ${seconds} s, ${what}: largest difference`,
      value,
      bar: { atMost: 1e-6 },
    }));
  },
  { brief: { side: 30, seconds: 0.8 }, coarse: { side: 50, seconds: 1.5 }, full: { side: 200, seconds: 1.5 } },
);
