import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Backend } from '../../../engine/index.ts';
import { noise } from '../../../engine/check/measures.ts';
import { speedLimit } from '../../../engine/models/shallow-water/repair.ts';
import { applyOperator, allBackends } from '../../setup/backends.ts';

const GRAVITY = 9.8;
const DRY = 1e-4;
const basin = { members: 1, periodicX: false, periodicY: false, gravity: GRAVITY, dryDepth: DRY };

/** η, hu, hv of a row of cells on a flat bed at 0. */
const row = (depths: readonly number[], hu: readonly number[]): Float64Array =>
  Float64Array.from([...depths, ...hu, ...depths.map(() => 0)]);

describe.each(allBackends)('the speed limit of an analysis on $name', ({ open, precision }) => {
  // Roundings of float32 in some ten operations; squares double them.
  const rounding = precision === 'float64' ? 1e-14 : 2e-6;
  let backend: Backend;
  beforeAll(async () => {
    backend = await open();
  });
  afterAll(() => backend.dispose());

  async function limited(forecast: Float64Array, state: Float64Array, periodicX = false): Promise<Float64Array> {
    const nx = forecast.length / 3;
    const parameters = { ...basin, periodicX, nx, ny: 1, bed: new Float64Array(nx) };
    return (await applyOperator(backend, speedLimit, parameters, { forecast, state })).state;
  }

  it('slows a film to the front of the deepest water beside it, with the fall from there', async () => {
    const depths = [0.01, 0.01, 1, 1, 0.01, 0.01];
    const found = await limited(row(depths, [0, 0, 0, 0, 0, 0]), row(depths, [5, 5, 1, 1, -5, -5]));
    const own = 0.01 * Math.sqrt(4 * GRAVITY * 0.01);
    const beside = 0.01 * Math.sqrt(4 * GRAVITY + 2 * GRAVITY * 0.99);
    expect(found).toBeClose(row(depths, [own, beside, 1, 1, -beside, -own]), { relative: rounding });
  });

  it('takes the other end of a periodic axis for a neighbour, and no wall', async () => {
    const depths = [0.01, 0.01, 0.01, 1];
    const still = row(depths, [0, 0, 0, 0]);
    const fast = row(depths, [5, 0, 0, 0]);
    const [own, beside] = [0.01 * Math.sqrt(4 * GRAVITY * 0.01), 0.01 * Math.sqrt(4 * GRAVITY + 2 * GRAVITY * 0.99)];
    expect((await limited(still, fast))[4]).toBeClose(own, { relative: rounding });
    expect((await limited(still, fast, true))[4]).toBeClose(beside, { relative: rounding });
  });

  it('allows what the forecast had, and water that has come to dry ground its own front', async () => {
    const forecast = row([0.01, 0, 0.01], [0.09, 0, 0]);
    const found = await limited(forecast, row([0.01, 0.04, 0.01], [0.09, 3, 0.09]));
    expect(found[3]).toBe((await limited(forecast, forecast))[3]);
    // Its neighbour ran at 9 m/s, faster than its own front.
    expect(found[4]).toBeClose(0.04 * 9, { relative: rounding });
  });

  it('leaves deep water as it is, bit by bit', async () => {
    const forecast = row([1, 1.1, 0.9, 2], [0.5, -0.3, 0.2, 3]);
    const state = row([1.2, 1, 0.7, 1.5], [2, -4, 3.5, -6]);
    expect([...(await limited(forecast, state))]).toEqual([...(await limited(state, state))]);
  });

  it('is the reference on a bed with dry cells and several members', async () => {
    const [nx, ny, members] = [13, 9, 3];
    const cells = nx * ny;
    const draws = noise(2 * 3 * members * cells + cells);
    const bed = draws.slice(0, cells).map((value) => Math.fround(0.5 * value));
    const ensembleAt = (start: number): Float64Array =>
      Float64Array.from({ length: 3 * members * cells }, (_, i) => {
        const value = draws[start + i];
        if (Math.floor(i / cells) % 3 > 0) return Math.fround(value);
        return Math.fround(bed[i % cells] + Math.max(0, 0.3 * value));
      });
    const [forecast, state] = [ensembleAt(cells), ensembleAt(cells + 3 * members * cells)];
    const parameters = { ...basin, nx, ny, members, periodicX: true, bed };
    const expected = state.slice();
    speedLimit.implementations.reference(parameters)({ forecast, state: expected });
    const found = (await applyOperator(backend, speedLimit, parameters, { forecast, state })).state;
    // A depth of 0.01 m beside an elevation of 1 m has lost two digits.
    expect(found).toBeClose(expected, { relative: 100 * rounding });
    expect([...expected].filter((value, i) => value !== state[i]).length).toBeGreaterThan(cells / 2);
  });
});
