/** Inflation that adapts itself, and additive inflation, by the filters that have them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { executeAnalysis } from '../../../engine/methods/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { anomaliesOf, meanOf, method } from '../../../engine/check/assimilation/set-up.ts';
import { analysisOf, factorOf, forecast, hold, LENGTH, MEMBERS, model, spread } from './set-up.ts';

const FILTERS = ['letkf', 'enkf'] as const;
const SETTINGS = { localisation: { halfWidth: 4 }, inflation: 1.3 };
/** So sure of itself that it stays. */
const STAYING = { kind: 'innovations', deviation: 1e-9 } as const;
const CELLS = model.grid.nx * model.grid.ny;

describe.each(backends)('inflation on $name', ({ open, precision }) => {
  const epsilon = precision === 'float32' ? 2 ** -24 : 2 ** -53;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  describe.each(FILTERS)('of the %s', (kind) => {
    it('that adapts itself begins with what is set, and analyses as that does', async () => {
      const plain = await analysisOf(backend, { kind, ...SETTINGS });
      const adapted = await analysisOf(backend, { kind, ...SETTINGS, adaptation: STAYING });
      // Members below 0.3 by a gain that errors of 2 cm make sharp: σ_b²/σₒ² is about 8, its share of the rounding.
      expect(adapted).toBeClose(plain, { absolute: 200 * epsilon });
    });

    it.each(['spread', 'perturbations'] as const)('is relaxed to the forecast as it came: %s', async (relaxed) => {
      const relaxation = { kind: relaxed, factor: 0.7 };
      const plain = await analysisOf(backend, { kind, ...SETTINGS, relaxation });
      const adapted = await analysisOf(backend, { kind, ...SETTINGS, relaxation, adaptation: STAYING });
      expect(adapted).toBeClose(plain, { absolute: 200 * epsilon });
    });

    it.each(['innovations', 'desroziers'] as const)('moves after the analysis, for the next one: %s', async (how) => {
      const adaptation = { kind: how, deviation: 1 };
      const held = await hold(backend, method({ kind, ...SETTINGS, adaptation }), spread);
      await held.analyse(0);
      const { next, used } = factorOf(held.method);
      const [first, second] = [(await backend.read(used))[0], (await backend.read(next))[0]];
      expect(first).toBe(precision === 'float32' ? Math.fround(1.3) : 1.3);
      expect(Math.abs(second - first)).toBeGreaterThan(0.01);
      await held.analyse(1);
      expect((await backend.read(used))[0]).toBe(second);
      held.dispose();
    });

    it('states the variance at the observations with the factor of the moment', async () => {
      const held = await hold(backend, method({ kind, ...SETTINGS, adaptation: STAYING }), spread);
      const plain = await hold(backend, method({ kind, ...SETTINGS }), spread);
      for (const one of [held, plain]) {
        backend.write(one.method.state, forecast);
        one.method.departures.compute(one.method.state);
      }
      const [found, wanted] = [
        await backend.read(held.method.departures.variance),
        await backend.read(plain.method.departures.variance),
      ];
      expect(found).toBeClose(wanted, { absolute: 20 * epsilon });
      for (const one of [held, plain]) one.dispose();
    });

    it('is explained as it was used: the contributions of the observations make the increment', async () => {
      const adaptation = { kind: 'innovations', deviation: 1 } as const;
      const held = await hold(backend, method({ kind, ...SETTINGS, adaptation }), spread);
      await held.analyse(0);
      backend.write(held.method.state, forecast);
      held.method.departures.compute(held.method.state);
      const kept = backend.allocate('kept', 'real', forecast.length);
      backend.copy(held.method.state, kept);
      await executeAnalysis(backend, held.method, 1);
      const answer = await held.method.explain({ kind: 'influence', variable: 'h', cell: { x: 3, y: 3 } }, kept);
      const sum = answer?.contributions.reduce((total, value) => total + value, 0) ?? Number.NaN;
      expect(Math.abs(answer?.increment ?? 0), 'there is one').toBeGreaterThan(1e-3);
      expect(Math.abs(sum - (answer?.increment ?? Number.NaN))).toBeLessThan(200 * epsilon);
      kept.dispose();
      held.dispose();
    });

    it('that is added leaves the mean, and gives the same draws for the same cycle', async () => {
      const additive = { standardDeviation: 0.1, length: 4 };
      const plain = await analysisOf(backend, { kind, ...SETTINGS });
      const added = await analysisOf(backend, { kind, ...SETTINGS, additive });
      expect(meanOf(added, LENGTH)).toBeClose(meanOf(plain, LENGTH), { absolute: 16 * epsilon });
      expect(await analysisOf(backend, { kind, ...SETTINGS, additive })).toEqual(added);
      expect(await analysisOf(backend, { kind, ...SETTINGS, additive }, 1)).not.toEqual(added);
    });

    it('that is added touches the surface alone, and with balance the currents too', async () => {
      const plain = await analysisOf(backend, { kind, ...SETTINGS });
      const changeOf = async (balance: 'none' | 'geostrophic'): Promise<Float64Array> => {
        const additive = { standardDeviation: 0.1, length: 4, balance };
        return (await analysisOf(backend, { kind, ...SETTINGS, additive })).map((value, at) => value - plain[at]);
      };
      const [alone, balanced] = [await changeOf('none'), await changeOf('geostrophic')];
      const most = (values: Float64Array, plane: number): number =>
        Math.max(...values.subarray(plane * CELLS, (plane + 1) * CELLS).map(Math.abs));
      expect(most(alone, 0)).toBeGreaterThan(0.01);
      expect(balanced.subarray(0, CELLS)).toEqual(alone.subarray(0, CELLS));
      for (const plane of [1, 2]) {
        expect(most(alone, plane)).toBe(0);
        expect(most(balanced, plane)).toBeGreaterThan(0.01);
      }
    });
  });
});

describe('additive inflation', () => {
  it('has the stated variance everywhere, over many cycles', async () => {
    const backend = await backends[0].open();
    const deviation = 0.2;
    const additive = { standardDeviation: deviation, length: 4 };
    const settings = { kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1 } as const;
    const [plain, added] = [
      await hold(backend, method(settings), spread),
      await hold(backend, method({ ...settings, additive }), spread),
    ];
    const before = anomaliesOf((await plain.analyse(0)).state, LENGTH);
    const cycles = 60;
    const variance = new Float64Array(CELLS);
    for (let cycle = 0; cycle < cycles; cycle++) {
      const after = anomaliesOf((await added.analyse(cycle)).state, LENGTH);
      for (let cell = 0; cell < CELLS; cell++) {
        for (let l = 0; l < MEMBERS; l++) {
          variance[cell] += (after[l][cell] - before[l][cell]) ** 2 / (MEMBERS - 1) / cycles;
        }
      }
    }
    for (const one of [plain, added]) one.dispose();
    backend.dispose();
    // A sample variance of 60 · 5 degrees of freedom is off by √(2/300) = 8 %; of 72 cells, correlated, none by four of these.
    for (const found of variance) expect(Math.abs(found / deviation ** 2 - 1)).toBeLessThan(4 * Math.sqrt(2 / 300));
  });

  it('draws the same numbers on every backend', async () => {
    const additive = { standardDeviation: 0.1, length: 4, balance: 'geostrophic' } as const;
    const settings = method({ kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1.1, additive });
    const found = [];
    for (const { open } of backends) {
      const backend = await open();
      const held = await hold(backend, settings, spread);
      found.push((await held.analyse(3)).state);
      held.dispose();
      backend.dispose();
    }
    // A balanced current of 0.1 m over 4 m, g/f times as much: numbers below 2, and an analysis of sharp gauges.
    for (const other of found.slice(1)) expect(other).toBeClose(found[0], { absolute: 400 * 2 ** -24 });
  });
});
