/** The exact solutions against what defines them: the equations, conservation of mass, jump conditions, published numbers. */
import { describe, expect, it } from 'vitest';
import { balancedVortex, geostrophicJet } from './geostrophic.ts';
import { poincareWave } from './poincare.ts';
import { ritter } from './ritter.ts';
import type { Bed, ExactSolution, Water } from '../../../../engine/check/shallow-water/exact.ts';
import { standingWave, middleCelerity, stoker } from '../../../../engine/check/shallow-water/exact.ts';

import { axisymmetricFrequency, paraboloid, planarFrequency, thackerAxisymmetric, thackerPlanar } from './thacker.ts';

interface Equations {
  readonly gravity: number;
  readonly coriolis: number;
  readonly bed: Bed;
}

/**
 * Residual of the three conservation laws at a point by central differences of step `step` (m, s), each divided by the sum
 * of the sizes of its terms:
 *
 *     ∂h/∂t + ∂(hu)/∂x + ∂(hv)/∂y = 0
 *     ∂(hu)/∂t + ∂(hu²)/∂x + ∂(huv)/∂y + gh ∂η/∂x − f hv = 0,  and the like for hv
 */
function residual(
  exact: ExactSolution,
  { gravity: g, coriolis: f, bed }: Equations,
  [x, y, t]: readonly [number, number, number],
  [length, time]: readonly [number, number],
): number {
  const alongX = (q: (w: Water) => number) => (q(exact(x + length, y, t)) - q(exact(x - length, y, t))) / (2 * length);
  const alongY = (q: (w: Water) => number) => (q(exact(x, y + length, t)) - q(exact(x, y - length, t))) / (2 * length);
  const inTime = (q: (w: Water) => number) => (q(exact(x, y, t + time)) - q(exact(x, y, t - time))) / (2 * time);
  const { h, u, v, eta } = exact(x, y, t);
  expect(eta).toBeCloseTo(h + bed(x, y), 12);
  const balances = [
    [inTime((w) => w.h), alongX((w) => w.h * w.u), alongY((w) => w.h * w.v)],
    [
      inTime((w) => w.h * w.u),
      alongX((w) => w.h * w.u * w.u),
      alongY((w) => w.h * w.u * w.v),
      g * h * alongX((w) => w.eta),
      -f * h * v,
    ],
    [
      inTime((w) => w.h * w.v),
      alongX((w) => w.h * w.u * w.v),
      alongY((w) => w.h * w.v * w.v),
      g * h * alongY((w) => w.eta),
      f * h * u,
    ],
  ];
  return Math.max(
    ...balances.map((terms) => {
      const size = terms.reduce((sum, term) => sum + Math.abs(term), 0);
      return size === 0 ? 0 : Math.abs(terms.reduce((sum, term) => sum + term, 0)) / size;
    }),
  );
}

const basin = { gravity: 9.81, depth: 0.1, radius: 1 };
const wet = { gravity: 9.81, dam: 5, left: 0.005, right: 0.001 };
const flat =
  (level: number): Bed =>
  () =>
    level;
const still = { gravity: 9.81, coriolis: 0 };

describe('solutions of the nonlinear equations: the residual falls as the square of the step', () => {
  it.each([
    ['Stoker, fan', stoker(wet), { ...still, bed: flat(0) }, [4.4, 0, 6], [0.04, 0.2]],
    ['Stoker, middle', stoker(wet), { ...still, bed: flat(0) }, [5.4, 0, 6], [0.04, 0.2]],
    ['Ritter', ritter(wet), { ...still, bed: flat(0) }, [6, 0, 6], [0.04, 0.2]],
    ['Thacker, planar', thackerPlanar(basin, 0.5), { ...still, bed: paraboloid(basin) }, [0.3, 0.2, 0.4], [0.02, 0.02]],
    [
      'Thacker, axisymmetric',
      thackerAxisymmetric(basin, 0.8),
      { ...still, bed: paraboloid(basin) },
      [0.3, 0.2, 0.4],
      [0.02, 0.02],
    ],
    ['jet', geostrophicJet, { gravity: 1, coriolis: 1, bed: flat(-10) }, [0, 0.7, 0], [0.05, 0.05]],
    [
      'vortex',
      balancedVortex({ gravity: 1, coriolis: 1, depth: 10, rotation: 0.5, radius: 1 }),
      { gravity: 1, coriolis: 1, bed: flat(-10) },
      [0.6, 0.5, 0],
      [0.05, 0.05],
    ],
  ] as const)('%s', (_name, exact, equations, point, [length, time]) => {
    const coarse = residual(exact, equations, point, [length, time]);
    const fine = residual(exact, equations, point, [length / 4, time / 4]);
    expect(coarse).toBeLessThan(0.05);
    // A quarter of the step leaves a sixteenth of the residual; 1e-10 is the rounding of the differences.
    expect(fine).toBeLessThan(coarse / 12 + 1e-10);
  });
});

describe('solutions of the linear equations: the residual falls with the amplitude', () => {
  const box = { gravity: 9.81, depth: 1, lx: 10, ly: 8 };
  const ocean = { gravity: 9.81, coriolis: 1e-4, depth: 1000, lx: 1e7, ly: (Math.sqrt(3) / 2) * 1e7 };
  it.each([
    [
      'standing wave',
      (a: number) => standingWave({ ...box, modes: [2, 1], amplitude: a }),
      { ...still, bed: flat(-1) },
      [1.3, 2.1, 0.4],
      [1e-4, 1e-4],
    ],
    [
      'Poincaré wave',
      (a: number) => poincareWave({ ...ocean, waves: [2, 2], amplitude: 1000 * a }),
      { gravity: 9.81, coriolis: 1e-4, bed: flat(-1000) },
      [1.3e6, 2.1e6, 5000],
      [1e2, 1],
    ],
  ] as const)('%s', (_name, exactOf, equations, point, steps) => {
    const large = residual(exactOf(1e-2), equations, point, steps);
    const small = residual(exactOf(1e-4), equations, point, steps);
    expect(large).toBeLessThan(0.1);
    expect(small).toBeLessThan(large / 50);
  });
});

/** Midpoint sum of h − `base` over [from, to] × {0}. */
function volume(exact: ExactSolution, t: number, from: number, to: number, cells: number): number {
  const dx = (to - from) / cells;
  let sum = 0;
  for (let i = 0; i < cells; i++) sum += exact(from + (i + 0.5) * dx, 0, t).h;
  return sum * dx;
}

/** Midpoint sum of h over [−2, 2]². */
function basinVolume(exact: ExactSolution, t: number, cells: number): number {
  let sum = 0;
  for (let j = 0; j < cells; j++) {
    for (let i = 0; i < cells; i++) sum += exact(-2 + ((i + 0.5) * 4) / cells, -2 + ((j + 0.5) * 4) / cells, t).h;
  }
  return sum * (4 / cells) ** 2;
}

describe('mass is conserved', () => {
  it('Stoker and Ritter: the water that the fan loses is beyond the dam', () => {
    // A jump of h_l within one of 40 000 cells, against a volume of 5 h_l: 1/20 000 at most from each discontinuity.
    for (const t of [1, 3, 6]) {
      expect(volume(stoker(wet), t, 0, 10, 40_000)).toBeCloseTo(5 * 0.005 + 5 * 0.001, 6);
      expect(volume(ritter(wet), t, 0, 10, 40_000)).toBeCloseTo(5 * 0.005, 6);
    }
  });

  it('Thacker: the volume of the paraboloid, π a² h₀ / 2 or that of the shrunken one, at all times', () => {
    for (const t of [0, 0.7, 1.9]) {
      expect(basinVolume(thackerPlanar(basin, 0.5), t, 400)).toBeCloseTo((Math.PI * 0.1) / 2, 4);
    }
    const start = basinVolume(thackerAxisymmetric(basin, 0.8), 0, 400);
    for (const t of [0.5, 0.9, 1.6]) expect(basinVolume(thackerAxisymmetric(basin, 0.8), t, 400)).toBeCloseTo(start, 4);
  });
});

describe('published and defining numbers', () => {
  it("Stoker's middle celerity for 5 mm over 1 mm is 0.1578324867", () => {
    expect(middleCelerity(wet)).toBeCloseTo(0.1578324867, 10);
  });

  it("Stoker's shock obeys both jump conditions", () => {
    const [g, hr] = [9.81, 0.001];
    const exact = stoker(wet);
    const { h, u } = exact(5.6, 0, 6);
    const speed = (h * u) / (h - hr);
    expect(exact(5 + 6 * speed - 1e-9, 0, 6).h).toBe(h);
    expect(exact(5 + 6 * speed + 1e-9, 0, 6).h).toBe(hr);
    expect(speed * h * u).toBeCloseTo(h * u * u + (g / 2) * (h * h - hr * hr), 15);
  });

  it('the fan of Stoker and of Ritter joins its neighbours without a step', () => {
    for (const exact of [stoker(wet), ritter(wet)]) {
      const head = 5 - 6 * Math.sqrt(9.81 * 0.005);
      expect(exact(head + 1e-9, 0, 6).h).toBeCloseTo(0.005, 10);
      expect(exact(head + 1e-9, 0, 6).u).toBeCloseTo(0, 8);
    }
    const cm = middleCelerity(wet);
    const foot = 5 + 6 * (2 * Math.sqrt(9.81 * 0.005) - 3 * cm);
    expect(stoker(wet)(foot - 1e-9, 0, 6).h).toBeCloseTo(cm ** 2 / 9.81, 10);
    expect(ritter(wet)(5 + 12 * Math.sqrt(9.81 * 0.005) - 1e-6, 0, 6).h).toBeLessThan(1e-15);
  });

  it('three periods of the planar basin are 13.4571 s; both surfaces return after a period', () => {
    expect((6 * Math.PI) / planarFrequency(basin)).toBeCloseTo(13.4571, 4);
    const cases = [
      [thackerPlanar(basin, 0.5), planarFrequency(basin)],
      [thackerAxisymmetric(basin, 0.8), axisymmetricFrequency(basin)],
    ] as const;
    for (const [exact, omega] of cases) {
      const [first, again] = [exact(0.4, 0.1, 0), exact(0.4, 0.1, (2 * Math.PI) / omega)];
      for (const name of ['eta', 'h', 'u', 'v'] as const) expect(again[name]).toBeCloseTo(first[name], 12);
    }
  });

  it('the axisymmetric shore is the circle r₀ at the start', () => {
    const exact = thackerAxisymmetric(basin, 0.8);
    expect(exact(0.8 - 1e-6, 0, 0).h).toBeGreaterThan(0);
    expect(exact(0.8 + 1e-6, 0, 0).h).toBe(0);
  });

  it('the standing wave has no flow through the walls', () => {
    const exact = standingWave({ gravity: 9.81, depth: 1, lx: 10, ly: 8, modes: [2, 1], amplitude: 1e-4 });
    for (const x of [0, 10]) expect(Math.abs(exact(x, 3, 0.3).u)).toBeLessThan(1e-18);
    for (const y of [0, 8]) expect(Math.abs(exact(3, y, 0.3).v)).toBeLessThan(1e-18);
  });
});
