/** The LETKF at places of a coarse grid, whose weights are interpolated between. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { backends } from '../../setup/backends.ts';
import { meanOf, method } from '../../../engine/check/assimilation/set-up.ts';
import { crowded, forecast, hold, LENGTH, MEMBERS, model, spread } from './set-up.ts';
import type { Observed } from '../../../engine/check/assimilation/set-up.ts';

const { nx, ny } = model.grid;
const SETTINGS = { kind: 'letkf', localisation: { halfWidth: 5 }, inflation: 1.1 } as const;
const EVERY = 3;

describe.each(backends)('interpolated weights of the LETKF on $name', ({ open, precision }) => {
  const epsilon = precision === 'float32' ? 2 ** -24 : 2 ** -53;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function analysisOf(every: number, observed: Observed = spread): Promise<Float64Array> {
    const held = await hold(backend, method({ ...SETTINGS, weights: { every } }), observed);
    const { state } = await held.analyse(0);
    held.dispose();
    return state;
  }

  it.each([
    ['few observations', spread],
    ['many observations', crowded],
  ])('are those of the cell where they are computed: %s', async (_what, observed) => {
    const [whole, coarse] = [await analysisOf(1, observed), await analysisOf(EVERY, observed)];
    const isNode = (at: number): boolean => (at % nx) % EVERY === 0 && (Math.floor(at / nx) % ny) % EVERY === 0;
    const nodes = Array.from(whole.keys()).filter(isNode);
    const pick = (values: Float64Array): Float64Array => Float64Array.from(nodes, (at) => values[at]);
    // Gauges that are eight times as sharp as the forecast: rounding of its numbers below 0.3, times the square of that.
    expect(pick(coarse)).toBeClose(pick(whole), { absolute: 200 * epsilon });
    expect(coarse).not.toEqual(whole);
  });

  it('leave the mean if nothing is observed, and inflate', async () => {
    const none = { ...spread, inverseErrorStd: new Float64Array(spread.x.length) };
    expect(await analysisOf(EVERY, none)).toBeClose(await analysisOf(1, none), { absolute: 16 * epsilon });
  });

  it('follow observations that move', async () => {
    const held = await hold(backend, method({ ...SETTINGS, weights: { every: EVERY } }), spread);
    await held.analyse(0);
    held.observe(crowded);
    const { state } = await held.analyse(0);
    held.dispose();
    expect(state).toEqual(await analysisOf(EVERY, crowded));
  });

  it.each([
    { x: 4, y: 4 },
    { x: 3, y: 6 },
    { x: 8, y: 7 },
  ])('are reported as they were used: cell $x, $y', async (cell) => {
    const held = await hold(backend, method({ ...SETTINGS, weights: { every: EVERY } }), spread);
    const { state } = await held.analyse(0);
    const kept = backend.allocate('kept', 'real', forecast.length);
    backend.write(kept, forecast);
    const told = await held.method.explain({ kind: 'weights', cell }, kept);
    const influence = await held.method.explain({ kind: 'influence', variable: 'hu', cell }, kept);
    kept.dispose();
    held.dispose();
    const mean = meanOf(state, LENGTH);
    for (const variable of [0, 1, 2]) {
      const at = variable * nx * ny + cell.y * nx + cell.x;
      let sum = 0;
      for (let l = 0; l < MEMBERS; l++) sum += (told?.weights[l] ?? Number.NaN) * forecast[l * LENGTH + at];
      expect(Math.abs(sum - mean[at])).toBeLessThan(200 * epsilon);
    }
    const total = influence?.contributions.reduce((sum, value) => sum + value, 0) ?? Number.NaN;
    expect(Math.abs(total - (influence?.increment ?? Number.NaN))).toBeLessThan(200 * epsilon);
  });
});
