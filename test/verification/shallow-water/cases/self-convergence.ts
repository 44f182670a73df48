import type { Backend } from '../../../../engine/index.ts';
import { box, coarsen, flatBed, meansOf, simulate } from '../../../../engine/check/shallow-water/simulation.ts';
import { order, relativeL1 } from '../../../../engine/check/measures.ts';
import type { Measurement } from '../../../../engine/check/measures.ts';

import { verificationCase } from '../../../../engine/check/shallow-water/cases.ts';

const SCHEMES = ['central-upwind', 'richtmyer'] as const;
type Scheme = (typeof SCHEMES)[number];

/** Half the side of the box, m. */
const HALF = 50;
const DEPTH = 0.5;

/** A hump of water, 1 mm high and at rest, in the middle of the box. */
function hump(x: number, y: number) {
  const r = Math.hypot(x, y) / HALF;
  const eta = r < 0.6 ? 5e-4 * (1 + Math.cos((Math.PI * r) / 0.6)) : 0;
  return { eta, h: DEPTH + eta, u: 0, v: 0 };
}

/** The surface after 5 s on n × n cells. */
async function surface(backend: Backend, scheme: Scheme, n: number): Promise<Float64Array> {
  const cells = box(n, n, [-HALF, HALF], [-HALF, HALF]);
  // Only one of the schemes rotates.
  const coriolis = scheme === 'central-upwind' ? 0.01 : 0;
  const problem = {
    scheme,
    cells,
    gravity: 9.81,
    bed: flatBed(cells, -DEPTH),
    coriolis,
    initial: meansOf(cells, hump),
  };
  return (await simulate(backend, problem, 5)).eta;
}

/**
 * A hump that spreads in all directions in a box of 100 m (on a rotating plane, where the scheme rotates), against itself on a finer grid whose cells are averaged. The
 * finer grid has an error of its own, (n/N)² of that on n cells, by which the difference is too small: it is put back, so
 * that the order is not flattered.
 */
export const selfConvergence = verificationCase(
  'V9 order against a finer grid',
  async (backend, { cells, reference }: { readonly cells: readonly number[]; readonly reference: number }) => {
    const rows: Measurement[] = [];
    for (const scheme of SCHEMES) {
      const finest = await surface(backend, scheme, reference);
      const errors: number[] = [];
      for (const n of cells) {
        const exact = coarsen(finest, { nx: reference, ny: reference }, reference / n);
        errors.push(relativeL1(await surface(backend, scheme, n), exact) / (1 - (n / reference) ** 2));
      }
      rows.push({
        what: `${scheme}, ${cells.join('/')} cells a side against ${reference}²: L1 order of η`,
        value: order(cells, errors),
        bar: { atLeast: 1.75 },
      });
    }
    return rows;
  },
  { coarse: { cells: [64, 128], reference: 256 }, full: { cells: [32, 64, 128, 256], reference: 512 } },
);
