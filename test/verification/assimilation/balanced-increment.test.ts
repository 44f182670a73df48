/**
 * Geostrophic balance in 3D-Var by a single observation of the surface, in the middle of a basin with a flat bottom, away from its
 * walls: the momenta of the increment are those that the Coriolis force balances, f k × (hu, hv) = −g D ∇η, and a forecast
 * from it keeps still where one without them runs away as waves.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { createShallowWater } from '../../../engine/models/index.ts';
import { backends } from '../../setup/backends.ts';
import { analyse, lengthOf, PHYSICS, variational } from '../../../engine/check/assimilation/set-up.ts';

const [NX, NY, DX, DY, DEPTH] = [41, 37, 2, 1.5, 1];
const CELLS = NX * NY;
/** Metres: four to five cells. */
const LENGTH = 8;
const [DEVIATION, ERROR, VALUE] = [0.02, 0.01, 0.02];
const MIDDLE = [20, 18] as const;
/** What one observation leaves of its own innovation. */
const AMPLITUDE = (VALUE * DEVIATION ** 2) / (DEVIATION ** 2 + ERROR ** 2);
const COEFFICIENT = (PHYSICS.gravity * DEPTH) / PHYSICS.coriolis.f;
/** Largest third derivative of exp(−z²/2), at z = √(3 − √6). */
const THIRD_DERIVATIVE = 1.3801;

const model = createShallowWater({
  scheme: 'central-upwind',
  grid: { nx: NX, ny: NY, dx: DX, dy: DY, periodicX: false, periodicY: false },
  ...PHYSICS,
  timeStep: 'auto',
  bed: new Float64Array(CELLS).fill(-DEPTH),
});

const observed = {
  x: Float64Array.of(MIDDLE[0]),
  y: Float64Array.of(MIDDLE[1]),
  variable: ['eta'],
  values: Float64Array.of(VALUE),
  inverseErrorStd: Float64Array.of(1 / ERROR),
};

/** Cells that their differences do not reach a wall from. */
const inside = Array.from({ length: CELLS }, (_, cell) => cell).filter((cell) => {
  const [i, j] = [cell % NX, Math.floor(cell / NX)];
  return i > 1 && i < NX - 2 && j > 1 && j < NY - 2;
});

function largest(errors: readonly number[]): number {
  return Math.max(...errors.map(Math.abs));
}

describe.each(backends)('a balanced increment on $name', ({ open, precision }) => {
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function increment(balance: 'none' | 'geostrophic') {
    const covariance = { kind: 'gaussian', length: LENGTH, standardDeviation: { h: DEVIATION }, balance } as const;
    const { state } = await analyse(
      backend,
      model,
      variational(covariance),
      new Float64Array(lengthOf(model)),
      observed,
    );
    const [eta, hu, hv] = [0, 1, 2].map((v) => state.subarray(v * CELLS, (v + 1) * CELLS));
    return { state, eta, hu, hv };
  }

  it('has the momenta of its own surface’s slope, and no divergence', async () => {
    const { eta, hu, hv } = await increment('geostrophic');
    // A difference of two surfaces of at most 16 mm, over 2 dy, times g D/f: some roundings of it.
    const rounding = (precision === 'float64' ? 2.3e-16 : 1.2e-7) * ((COEFFICIENT * AMPLITUDE) / DY) * 4;
    const slopes = inside.map((cell) => ({
      u: hu[cell] + (COEFFICIENT * (eta[cell + NX] - eta[cell - NX])) / (2 * DY),
      v: hv[cell] - (COEFFICIENT * (eta[cell + 1] - eta[cell - 1])) / (2 * DX),
      divergence: (hu[cell + 1] - hu[cell - 1]) / (2 * DX) + (hv[cell + NX] - hv[cell - NX]) / (2 * DY),
    }));
    expect(largest(slopes.map(({ u }) => u))).toBeLessThan(rounding);
    expect(largest(slopes.map(({ v }) => v))).toBeLessThan(rounding);
    expect(largest(slopes.map(({ divergence }) => divergence))).toBeLessThan((2 * rounding) / DY);
  });

  it('is the vortex of a Gaussian hill, to the second order of its differences', async () => {
    const { hu, hv } = await increment('geostrophic');
    const exact = inside.map((cell) => {
      const x = ((cell % NX) - MIDDLE[0]) * DX;
      const y = (Math.floor(cell / NX) - MIDDLE[1]) * DY;
      const hill = AMPLITUDE * Math.exp(-(x * x + y * y) / (2 * LENGTH * LENGTH));
      return { cell, u: (COEFFICIENT * hill * y) / LENGTH ** 2, v: (-COEFFICIENT * hill * x) / LENGTH ** 2 };
    });
    const truncation = (d: number): number => (COEFFICIENT * AMPLITUDE * THIRD_DERIVATIVE * d * d) / (6 * LENGTH ** 3);
    // The correlation is the Gaussian to 1e-4 of its height, over a cell's slope.
    const kernel = (COEFFICIENT * AMPLITUDE * 1e-4) / DY;
    expect(largest(exact.map(({ u }) => u))).toBeGreaterThan(20 * truncation(DY));
    expect(largest(exact.map(({ cell, u }) => hu[cell] - u))).toBeLessThan(truncation(DY) + kernel);
    expect(largest(exact.map(({ cell, v }) => hv[cell] - v))).toBeLessThan(truncation(DX) + kernel);
  });

  it('stays where it is in a forecast that a hill without currents leaves as waves', async () => {
    const propagator = await model.prepare(backend, 1);
    const state = backend.allocate('balanced', 'real', lengthOf(model));
    /** Root mean square of what the surface has changed by, of what it was. */
    const changed = async (balance: 'none' | 'geostrophic'): Promise<number> => {
      const begun = await increment(balance);
      backend.write(state, begun.state);
      // A fifth of the inertial period 2π/f: waves of √(g D) = 3 m/s run 5 m.
      await propagator.advance(state, (0.2 * 2 * Math.PI) / PHYSICS.coriolis.f);
      await propagator.check('the balanced forecast');
      const ended = await backend.read(state);
      const change = inside.map((cell) => ended[cell] - begun.eta[cell]);
      return Math.hypot(...change) / Math.hypot(...inside.map((cell) => begun.eta[cell]));
    };
    const [balanced, unbalanced] = [await changed('geostrophic'), await changed('none')];
    propagator.dispose();
    state.dispose();
    expect(balanced).toBeLessThan(unbalanced / 10);
  });
});
