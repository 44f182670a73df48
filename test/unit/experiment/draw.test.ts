/** What is drawn before the spin-up: jets that close and conserve, and balance that knows where f changes. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createReferenceBackend, NO_FILES, validateScenario } from '../../../engine/index.ts';
import type { Backend, Scenario } from '../../../engine/index.ts';
import { createMemberDraw, createModel, drawTruth } from '../../../engine/experiment/draw.ts';
import { balanceCoefficient, coriolisAt } from '../../../engine/operators/geostrophic-balance/index.ts';

const [NX, NY, CELL, DEPTH, GRAVITY, F] = [12, 36, 18_500, 230, 9.81, 1.4e-4];
const CELLS = NX * NY;

/** Jets of independent speeds and places, with a balanced perturbation, in a sea that is periodic along x. */
function jetsIn(change: { model?: object; background?: object; truth?: object } = {}): Scenario {
  const initial = { kind: 'jet', count: 2, speed: [2.6, 3.4], width: 60_000, shift: [-30_000, 30_000] };
  const input = {
    version: 3,
    name: 'jets',
    seed: 4,
    grid: { nx: NX, ny: NY, dx: CELL, dy: CELL },
    model: {
      gravity: GRAVITY,
      coriolis: { f: F },
      boundary: { x: 'periodic', y: 'periodic' },
      bathymetry: { kind: 'flat', depth: DEPTH },
      ...change.model,
    },
    truth: { initial, ...change.truth },
    background: { initial, members: 10, ...change.background },
    experiment: { cycles: 2, window: 3600 },
  };
  return validateScenario(input, 'jets').scenario;
}

/** h, hu, hv of each member, and of the truth last. */
function draws(scenario: Scenario): Float64Array[] {
  const model = createModel(scenario, NO_FILES);
  const draw = createMemberDraw(scenario, model, NO_FILES);
  return [
    ...Array.from({ length: scenario.background.members }, (_, member) => draw(member)),
    drawTruth(scenario, model, NO_FILES),
  ];
}

const sum = (values: Float64Array): number => values.reduce((total, value) => total + value, 0);

/** Largest |f u + g ∂η/∂y| over the rows from `first` to before `end`, over the largest |f u|. */
function imbalance(fields: Float64Array, fAt: (j: number) => number, first = 0, end = NY): number {
  let [most, scale] = [0, 0];
  for (let j = first; j < end; j++) {
    const at = (row: number): number => fields[((row + NY) % NY) * NX];
    const u = fields[CELLS + j * NX] / at(j);
    most = Math.max(most, Math.abs(fAt(j) * u + (GRAVITY * (at(j + 1) - at(j - 1))) / (2 * CELL)));
    scale = Math.max(scale, Math.abs(fAt(j) * u));
  }
  return most / scale;
}

describe('jets', () => {
  const perturbed = { perturbation: { standardDeviation: 0.2, length: 60_000, balance: 'geostrophic' } };

  it.each([
    ['periodic', {}],
    ['wall', { boundary: { x: 'periodic', y: 'wall' } }],
    ['periodic and on a β-plane', { coriolis: { f: F, beta: 2e-11 } }],
  ])('have as much water in every draw as the sea at rest, perturbed or not: %s', (_, model) => {
    for (const change of [{}, perturbed]) {
      for (const fields of draws(jetsIn({ model, background: change, truth: change })))
        expect(sum(fields.subarray(0, CELLS)) / (DEPTH * CELLS) - 1).toBeClose(0, { absolute: 1e-13 });
    }
  });

  it('close across a periodic y: the surface at the seam is as smooth as elsewhere, and speeds differ', () => {
    const all = draws(jetsIn());
    const speeds = all.map((fields) => Math.max(...fields.subarray(CELLS, 2 * CELLS)) / DEPTH);
    expect(Math.max(...speeds) - Math.min(...speeds)).toBeGreaterThan(0.2);
    for (const fields of all) {
      const rise = (j: number): number => fields[((j + 1) % NY) * NX] - fields[j * NX];
      // At least 136 km from a jet its current of 3.4 m/s changes by at most 0.09 m/s in a cell, and so does what a cell's rise
      // of f dy/g = 0.26 m for each m/s: by 0.024 m for each of two jets. A seam that does not close jumps by 0.57 m.
      expect(Math.abs(rise(NY - 1) - rise(NY - 2))).toBeLessThan(0.05);
      expect(Math.abs(rise(NY - 1) - rise(0))).toBeLessThan(0.05);
    }
  });

  it('are in balance on the grid, with β by the f of each row', () => {
    for (const fields of draws(jetsIn())) expect(imbalance(fields, () => F)).toBeLessThan(1e-12);
    const beta = 2e-11;
    const scenario = jetsIn({ model: { coriolis: { f: F, beta }, boundary: { x: 'periodic', y: 'wall' } } });
    const fAt = (j: number): number => F + beta * (j - (NY - 1) / 2) * CELL;
    for (const fields of draws(scenario)) {
      // The mean of f u beside a row is not f times the mean of u: a quarter of β dy times the change of u in a cell.
      expect(imbalance(fields, fAt, 1, NY - 1)).toBeLessThan(1e-3);
      expect(imbalance(fields, () => F, 1, NY - 1)).toBeGreaterThan(0.01);
    }
  });

  describe('in the model', () => {
    let backend: Backend;
    beforeAll(() => {
      backend = createReferenceBackend();
    });
    afterAll(() => backend.dispose());

    it('stay as they are for a day: no gravity waves run from the seam or from what does not balance', async () => {
      const scenario = jetsIn();
      const model = createModel(scenario, NO_FILES);
      const truth = drawTruth(scenario, model, NO_FILES);
      const propagator = await model.prepare(backend, 1);
      const state = backend.allocate('jets', 'real', truth.length);
      backend.write(state, model.toState(truth));
      await propagator.advance(state, 86_400);
      const after = model.fromState(Float64Array.from(await backend.read(state)));
      const drift = after.subarray(0, CELLS).map((h, cell) => h - truth[cell]);
      const range = Math.max(...truth.subarray(0, CELLS)) - Math.min(...truth.subarray(0, CELLS));
      // The limiter wears jets of three cells down by some percent; a jump of 0.3 m at the seam would be 15 %.
      expect(Math.max(...drift.map(Math.abs)) / range).toBeLessThan(0.06);
      expect(range).toBeGreaterThan(3);
    });
  });
});

const vortex = (y: number) => ({
  initial: { kind: 'vortex', radius: 60_000, speed: [1, 1], x: [0.5, 0.5], y: [y, y] },
});

describe('β in balance', () => {
  const coriolis = { f: 1e-4, beta: 2e-11 };
  const grid = { nx: 2, ny: 5, dx: 1e5, dy: 1e5 };

  it('is that of the model: f in the middle of the basin, more towards higher y', () => {
    expect([0, 2, 4].map((j) => coriolisAt(coriolis, j, grid))).toBeClose([0.96e-4, 1e-4, 1.04e-4], {
      absolute: 1e-18,
    });
    const bed = new Float64Array(10).fill(-50);
    bed[9] = 3;
    const coefficient = balanceCoefficient(grid, bed, { gravity: 10, coriolis });
    expect(coefficient[0]).toBeClose(500 / 0.96e-4, { relative: 1e-14 });
    expect(coefficient[8]).toBeClose(500 / 1.04e-4, { relative: 1e-14 });
    expect(coefficient[9]).toBe(0);
  });

  it('brings perturbations the currents of their row', () => {
    const [f, beta] = [F, 2e-11];
    const boundary = { x: 'periodic', y: 'wall' };
    const perturbation = { standardDeviation: 0.2, length: 60_000, balance: 'geostrophic' };
    const rest = { initial: { kind: 'rest' }, perturbation };
    const [plane, turning] = [0, beta].map(
      (slope) => draws(jetsIn({ model: { boundary, coriolis: { f, beta: slope } }, truth: rest, background: rest }))[0],
    );
    expect(turning.subarray(0, CELLS)).toEqual(plane.subarray(0, CELLS));
    const expected = plane.map((value, i) => {
      const j = Math.floor((i % CELLS) / NX);
      return i < CELLS ? value : (value * f) / (f + beta * (j - (NY - 1) / 2) * CELL);
    });
    expect(turning).toBeClose(expected, { relative: 1e-12 });
  });

  it('holds a vortex by the f of its centre', () => {
    const [f, beta] = [F, 2e-11];
    const boundary = { x: 'wall', y: 'wall' };
    const lowest = (y: number): number => {
      const scenario = jetsIn({ model: { boundary, coriolis: { f, beta } }, truth: vortex(y) });
      return DEPTH - Math.min(...(draws(scenario).at(-1)?.subarray(0, CELLS) ?? []));
    };
    const [south, north] = [10 / 35, 25 / 35];
    const fAt = (y: number): number => f + beta * (y * 35 - 17.5) * CELL;
    const e = Math.exp(0.5);
    // At the centre, which along x lies half a cell from the next one: η falls by f S R e + ½ S² e² over g, but for that half cell.
    for (const y of [south, north]) {
      const deep = (fAt(y) * 60_000 * e + (e * e) / 2) / GRAVITY;
      expect(lowest(y) / deep).toBeGreaterThan(0.97);
      expect(lowest(y) / deep).toBeLessThanOrEqual(1);
    }
    expect(lowest(north) / lowest(south)).toBeClose(fAt(north) / fAt(south), { relative: 0.01 });
  });
});
