/** An inflation of every cell's own, by the LETKF. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { correlationsOf, executeAnalysis } from '../../../engine/methods/index.ts';
import type { Backend } from '../../../engine/index.ts';
import { method } from '../../../engine/check/assimilation/set-up.ts';
import { backends } from '../../setup/backends.ts';
import { analysisOf, factorOf, forecast, gauges, hold, model, NX, spread } from './set-up.ts';

const SETTINGS = { kind: 'letkf', localisation: { halfWidth: 4 }, inflation: 1.3 } as const;
/** So sure of itself that it stays. */
const STAYING = { kind: 'local', deviation: 1e-9 } as const;
const CELLS = model.grid.nx * model.grid.ny;

describe.each(backends)('inflation of every cell, on $name', ({ open, precision }) => {
  const epsilon = precision === 'float32' ? 2 ** -24 : 2 ** -53;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  it.each([
    ['in every cell', {}],
    ['at every third cell', { weights: { every: 3 } }],
    ['with relaxation', { relaxation: { kind: 'spread', factor: 0.7 } }],
  ] as const)('begins with what is set, and analyses as that does: %s', async (_, others) => {
    const plain = await analysisOf(backend, { ...SETTINGS, ...others });
    const adapted = await analysisOf(backend, { ...SETTINGS, ...others, adaptation: STAYING });
    // Members below 0.3 by a gain that errors of 2 cm make sharp: σ_b²/σₒ² is about 8, its share of the rounding.
    expect(adapted).toBeClose(plain, { absolute: 400 * epsilon });
  });

  it('is one factor for all if every gauge counts everywhere', async () => {
    const settings = { ...SETTINGS, localisation: { halfWidth: 1e9 } };
    const held = await hold(backend, method({ ...settings, adaptation: { kind: 'local', deviation: 1 } }), spread);
    const one = await hold(backend, method({ ...settings, adaptation: { kind: 'innovations', deviation: 1 } }), spread);
    for (let cycle = 0; cycle < 2; cycle++) {
      const [each, all] = [await held.analyse(cycle), await one.analyse(cycle)];
      expect(each.state).toBeClose(all.state, { absolute: 1000 * epsilon });
      const [factors, [factor]] = [
        await backend.read(factorOf(held.method).next),
        await backend.read(factorOf(one.method).next),
      ];
      expect(Math.abs(factor - 1.3)).toBeGreaterThan(0.01);
      expect(factors).toBeClose(new Float64Array(CELLS).fill(factor), { relative: 100 * epsilon });
    }
    for (const each of [held, one]) each.dispose();
  });

  it('grows around the gauges whose innovations are too large, and stays near 1 elsewhere', async () => {
    const [near, far] = [
      [0, 1, 2].flatMap((x) => [0, 1, 2, 3, 4, 5, 6, 7].map((y) => [x, y] as const)),
      [6, 7, 8].flatMap((x) => [0, 1, 2, 3, 4, 5, 6, 7].map((y) => [x, y] as const)),
    ];
    const observed = gauges([...near, ...far]);
    // The mean of the members is within a few centimetres of 0, and so are they of it.
    observed.values.forEach((_, j) => (observed.values[j] = j < near.length ? 0.25 : 0));
    const settings = { ...SETTINGS, inflation: 1, localisation: { halfWidth: 1.5 } };
    const held = await hold(backend, method({ ...settings, adaptation: { kind: 'local', deviation: 0.5 } }), observed);
    for (let cycle = 0; cycle < 6; cycle++) await held.analyse(cycle);
    const { next, used, mean } = factorOf(held.method);
    const factors = await backend.read(next);
    const columns = (from: number, to: number) => factors.filter((__, cell) => cell % NX >= from && cell % NX < to);
    expect(Math.min(...columns(0, 3))).toBeGreaterThan(2);
    expect(Math.max(...columns(6, 9))).toBeLessThan(1.2);
    const last = await backend.read(used);
    const expected = last.reduce((sum, factor) => sum + factor, 0) / CELLS;
    expect(await backend.read(mean)).toBeClose([expected], { relative: 100 * epsilon });
    held.dispose();
  });

  it('states the variance at a gauge with the factor of the nearest cell', async () => {
    const held = await hold(backend, method({ ...SETTINGS, adaptation: STAYING }), spread);
    const plain = await hold(backend, method({ ...SETTINGS, inflation: 1 }), spread);
    const factors = Float64Array.from({ length: CELLS }, (_, cell) => 1 + (cell % 7) / 4);
    backend.write(factorOf(held.method).next, factors);
    for (const one of [held, plain]) {
      backend.write(one.method.state, forecast);
      one.method.departures.compute(one.method.state);
    }
    const [found, alone] = [
      await backend.read(held.method.departures.variance),
      await backend.read(plain.method.departures.variance),
    ];
    const wanted = alone.map((variance, j) => variance * factors[spread.y[j] * NX + spread.x[j]]);
    expect(found).toBeClose(wanted, { absolute: 40 * epsilon });
    for (const one of [held, plain]) one.dispose();
  });

  it.each([
    ['in every cell', 1],
    ['at every third cell', 3],
  ])('explains an analysis by the factors that it used, with weights %s', async (_, every) => {
    const adaptation = { kind: 'local', deviation: 1 } as const;
    const held = await hold(backend, method({ ...SETTINGS, weights: { every }, adaptation }), spread);
    await held.analyse(0);
    backend.write(held.method.state, forecast);
    held.method.departures.compute(held.method.state);
    const kept = backend.allocate('kept', 'real', forecast.length);
    backend.copy(held.method.state, kept);
    await executeAnalysis(backend, held.method, 1);
    const cell = { x: 4, y: 4 };
    const answer = await held.method.explain({ kind: 'influence', variable: 'h', cell }, kept);
    const sum = answer?.contributions.reduce((total, value) => total + value, 0) ?? Number.NaN;
    expect(Math.abs(answer?.increment ?? 0), 'there is one').toBeGreaterThan(1e-3);
    expect(Math.abs(sum - (answer?.increment ?? Number.NaN))).toBeLessThan(400 * epsilon);
    const column = await held.method.explain({ kind: 'covariance-column', variable: 'h', cell }, kept);
    if (!column) throw new Error('the LETKF has columns');
    // Its variance by two operators, sums of six products, and the roots of ρ and of one of these.
    expect([correlationsOf(column)[column.element]]).toBeClose([1], { absolute: 8 * epsilon });
    const plain = await hold(backend, method({ ...SETTINGS, inflation: 1 }), spread);
    await plain.analyse(0);
    const uninflated = await plain.method.explain({ kind: 'covariance-column', variable: 'h', cell }, kept);
    const factor = column.values[4 * NX + 4] / (uninflated?.values[4 * NX + 4] ?? 1);
    expect(Math.abs(factor - 1.3)).toBeGreaterThan(0.01);
    kept.dispose();
    for (const one of [held, plain]) one.dispose();
  });
});
