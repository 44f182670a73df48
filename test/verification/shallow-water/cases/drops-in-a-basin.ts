import { createShallowWater } from '../../../../engine/models/index.ts';
import type { Backend } from '../../../../engine/index.ts';
import type { Measurement } from '../../../../engine/check/measures.ts';
import type { Problem } from '../../../../engine/check/shallow-water/simulation.ts';
import { verificationCase } from '../../../../engine/check/shallow-water/cases.ts';

type Scheme = NonNullable<Problem['scheme']>;

const GRAVITY = 9.8;
/** Metres: height and width of three drops, as η = a·exp(−5 r²/width²), and their places as shares of a side. */
const WIDTH = 10;
const DROPS = [
  { a: 0.5, x: 0.3, y: 0.35 },
  { a: 0.3, x: 0.7, y: 0.6 },
  { a: 0.4, x: 0.45, y: 0.8 },
] as const;

/** Depths and momenta of drops on water 1 m deep, at rest, in cells of 1 m. */
function dropped(side: number): Float64Array {
  const fields = new Float64Array(3 * side * side);
  for (let cell = 0; cell < side * side; cell++) {
    const [x, y] = [cell % side, Math.floor(cell / side)];
    fields[cell] = DROPS.reduce(
      (h, drop) => h + drop.a * Math.exp((-5 * ((x - drop.x * side) ** 2 + (y - drop.y * side) ** 2)) / WIDTH ** 2),
      1,
    );
  }
  return fields;
}

/** Σ (hu² + hv²)/2h + g (h − h̄)²/2 over the cells: all but the energy of the water at rest. */
function energy(fields: Float64Array): number {
  const cells = fields.length / 3;
  const mean = fields.subarray(0, cells).reduce((sum, h) => sum + h, 0) / cells;
  let sum = 0;
  for (let cell = 0; cell < cells; cell++) {
    const h = fields[cell];
    sum += (fields[cell + cells] ** 2 + fields[cell + 2 * cells] ** 2) / (2 * h) + (GRAVITY * (h - mean) ** 2) / 2;
  }
  return sum;
}

interface Kept {
  /** Energy over that of the beginning: the largest of all times, and the last. */
  readonly most: number;
  readonly last: number;
  /** Seconds until it has doubled; Infinity where it never does. */
  readonly doubled: number;
  /** Share of the volume that came or went. */
  readonly drift: number;
}

async function keep(
  backend: Backend,
  scheme: Scheme,
  timeStep: number | 'auto',
  side: number,
  seconds: number,
): Promise<Kept> {
  const model = createShallowWater({
    scheme,
    grid: { nx: side, ny: side, dx: 1, dy: 1, periodicX: false, periodicY: false },
    gravity: GRAVITY,
    timeStep,
    bed: new Float64Array(side * side).fill(-1),
  });
  const start = dropped(side);
  const propagator = await model.prepare(backend, 1, model.waveRate(start));
  const state = backend.allocate('verification.basin', 'real', start.length);
  backend.write(state, model.toState(start));
  const volume = (fields: Float64Array) => fields.subarray(0, side * side).reduce((sum, h) => sum + h, 0);
  const before = energy(start);
  let [most, last, doubled, drift] = [1, 1, Infinity, 0];
  const every = seconds / 100;
  try {
    for (let t = every; t <= seconds + every / 2; t += every) {
      await propagator.advance(state, every);
      await propagator.check('a basin of drops');
      const fields = model.fromState(Float64Array.from(await backend.read(state)));
      last = energy(fields) / before;
      most = Math.max(most, last);
      drift = Math.abs(volume(fields) / volume(start) - 1);
      if (last > 2) doubled = Math.min(doubled, t);
      if (doubled < Infinity) break;
    }
  } finally {
    propagator.dispose();
    state.dispose();
  }
  return { most, last, doubled, drift };
}

/**
 * Drift of the volume: the schemes conserve it but for rounding. In float64 it stays far below this; in float32 each of 25 000 steps may
 * move it by a unit of rounding, 6e-8, all of them the same way at worst.
 */
const DRIFT = { float64: 1e-6, float32: 25_000 * 2 ** -24 } as const;

/** A closed basin of drops: no scheme may make energy, and Moler's does. */
export const dropsInABasin = verificationCase(
  'V14 energy of drops in a basin',
  async (backend, { side, seconds }: { readonly side: number; readonly seconds: number }) => {
    const rows: Measurement[] = [];
    for (const [scheme, timeStep] of [
      ['richtmyer', 0.1],
      ['richtmyer', 'auto'],
      ['central-upwind', 'auto'],
    ] as const) {
      const { most, last, drift } = await keep(backend, scheme, timeStep, side, seconds);
      const what = `${scheme}, step ${timeStep}, ${side}², ${seconds} s`;
      rows.push(
        { what: `${what}: largest energy, ${last.toFixed(3)} at the end`, value: most, bar: { atMost: 1.01 } },
        { what: `${what}: drift of the volume`, value: drift, bar: { atMost: DRIFT[backend.precision] } },
      );
    }
    const moler = await keep(backend, 'lax-wendroff', 0.1, side, 100);
    rows.push({
      what: `lax-wendroff, step 0.1, ${side}²: seconds until its energy doubled`,
      value: moler.doubled,
      bar: { atMost: 100 },
    });
    return rows;
  },
  { coarse: { side: 20, seconds: 1000 }, full: { side: 64, seconds: 1000 } },
);
