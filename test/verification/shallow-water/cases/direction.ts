import type { Backend } from '../../../../engine/index.ts';
import { box, centresOf, flatBed, meansOf, simulate } from '../../../../engine/check/shallow-water/simulation.ts';
import type { Problem } from '../../../../engine/check/shallow-water/simulation.ts';
import { poincareWave } from '../exact/poincare.ts';
import type { ExactSolution } from '../../../../engine/check/shallow-water/exact.ts';
import { order, relativeL1 } from '../../../../engine/check/measures.ts';
import type { Measurement } from '../../../../engine/check/measures.ts';

import { verificationCase } from '../../../../engine/check/shallow-water/cases.ts';

type Scheme = NonNullable<Problem['scheme']>;

const GRAVITY = 9.81;
/** Sides of the periodic box, m. */
const SIDE = 10;

type Waves = readonly [number, number];

/** Wavelengths along x and y. */
const AXIS: Waves = [2, 0];
const DIAGONAL: Waves = [2, 2];

/** A plane wave that travels, or two that make a standing one; exact for the linear equations. */
function planeWave(waves: Waves, amplitude: number, standing: boolean): ExactSolution {
  const basin = { gravity: GRAVITY, coriolis: 0, depth: 1, lx: SIDE, ly: SIDE };
  if (!standing) return poincareWave({ ...basin, waves, amplitude });
  const [there, back] = [1, -1].map((sign) =>
    poincareWave({ ...basin, waves: [sign * waves[0], sign * waves[1]], amplitude: amplitude / 2 }),
  );
  return (x, y, t) => {
    const [a, b] = [there(x, y, t), back(x, y, t)];
    return { eta: a.eta + b.eta, h: 1 + a.eta + b.eta, u: a.u + b.u, v: a.v + b.v };
  };
}

/** L1 order of η after two periods. */
async function orderOf(
  backend: Backend,
  scheme: Scheme,
  waves: Waves,
  standing: boolean,
  cells: readonly number[],
): Promise<number> {
  // Float32 holds no wave so low that the exact solution could not be distinguished from that of the nonlinear equations.
  const exact = planeWave(waves, backend.precision === 'float64' ? 1e-7 : 1e-3, standing);
  const seconds = (2 * SIDE) / (Math.sqrt(GRAVITY) * Math.hypot(...waves));
  const errors: number[] = [];
  for (const n of cells) {
    const grid = box(n, n, [0, SIDE], [0, SIDE]);
    const problem: Problem = {
      scheme,
      cells: grid,
      gravity: GRAVITY,
      bed: flatBed(grid, -1),
      boundary: { x: 'periodic', y: 'periodic' },
      initial: meansOf(grid, exact),
    };
    const { eta } = await simulate(backend, problem, seconds);
    errors.push(relativeL1(eta, centresOf(grid, exact, seconds).eta));
  }
  return order(cells, errors);
}

const SECOND_ORDER = { atLeast: 1.8 };
/** The limiter flattens the crests of a travelling wave, so that these fall short of the second order. */
const LIMITED = { atLeast: 1.3 };

interface Bars {
  readonly axis: Measurement['bar'];
  readonly diagonal: Measurement['bar'];
}

const TRAVELLING: readonly (readonly [Scheme, Bars])[] = [
  ['richtmyer', { axis: SECOND_ORDER, diagonal: SECOND_ORDER }],
  ['central-upwind', { axis: LIMITED, diagonal: LIMITED }],
  // Without transverse terms its error along the diagonal falls with the step alone.
  ['lax-wendroff', { axis: SECOND_ORDER, diagonal: { atMost: 1.4 } }],
];
const STANDING: readonly (readonly [Scheme, Bars])[] = [
  ['richtmyer', { axis: SECOND_ORDER, diagonal: SECOND_ORDER }],
  ['central-upwind', { axis: SECOND_ORDER, diagonal: SECOND_ORDER }],
];

/** The L1 order of every scheme along an axis and along the diagonal. */
export const direction = verificationCase(
  'V13 order by direction',
  async (backend, { cells }: { readonly cells: readonly number[] }) => {
    const resolved = backend.precision === 'float64' ? cells : cells.slice(0, 2);
    const rows: Measurement[] = [];
    for (const [name, schemes] of [
      ['travelling', TRAVELLING],
      ['standing', STANDING],
    ] as const) {
      for (const [scheme, { axis, diagonal }] of schemes) {
        const measure = async (way: string, waves: Waves, bar: Measurement['bar']): Promise<void> => {
          const value = await orderOf(backend, scheme, waves, name === 'standing', resolved);
          rows.push({
            what: `${scheme}, ${name} wave along the ${way}, ${resolved.join('/')} cells a side`,
            value,
            bar,
          });
        };
        await measure('axis', AXIS, axis);
        await measure('diagonal', DIAGONAL, diagonal);
      }
    }
    return rows;
  },
  { coarse: { cells: [32, 64] }, full: { cells: [32, 64, 128, 256] } },
);
