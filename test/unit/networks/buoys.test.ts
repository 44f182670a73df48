/** Buoys by themselves: their paths against exact ones, their fleets, and what a checkpoint keeps of them. */
import { describe, expect, it } from 'vitest';
import { ScenarioError } from '../../../engine/index.ts';
import { createBuoys, SUB_STEPS } from '../../../engine/networks/index.ts';
import type { VelocityReader } from '../../../engine/networks/index.ts';

const SIDE = 21;
const walls = { nx: SIDE, ny: SIDE, dx: 2, dy: 2, periodicX: false, periodicY: false };
const timing = { seed: 1, windowSeconds: 1 };

describe('buoys', () => {
  it('follow a solid rotation on circles, to second order in the sub-step', async () => {
    const buoys = createBuoys([{ fleet: 'buoys', count: 9 }], walls, timing);
    // Metres from the middle; a radian a second, at which half a circle leaves the basin for those in its corners.
    const middle = (SIDE - 1) / 2;
    const rotation: VelocityReader = ({ x, y }) =>
      Promise.resolve({ u: y.map((place) => -2 * (place - middle)), v: x.map((place) => 2 * (place - middle)) });
    const begin = buoys.state().map((place) => middle + (place - middle) / 2);
    const errorWith = async (subSteps: number): Promise<number> => {
      buoys.restore(begin);
      await buoys.leave(rotation);
      for (let step = 1; step <= subSteps; step++) await buoys.carry(step / subSteps, rotation);
      const end = buoys.state();
      let most = 0;
      for (let i = 0; i < 9; i++) {
        const [x, y] = [begin[i] - middle, begin[i + 9] - middle];
        const [c, s] = [Math.cos(1), Math.sin(1)];
        most = Math.max(most, Math.hypot(end[i] - middle - (c * x - s * y), end[i + 9] - middle - (s * x + c * y)));
      }
      return most;
    };
    const errors = [await errorWith(SUB_STEPS), await errorWith(2 * SUB_STEPS), await errorWith(4 * SUB_STEPS)];
    expect(Math.log2(errors[0] / errors[1])).toBeGreaterThan(1.9);
    expect(Math.log2(errors[1] / errors[2])).toBeGreaterThan(1.9);
    // Of a circle of some 7 cells, (1/8)²/6 of a radian.
    expect(errors[0]).toBeLessThan(0.03);
  });

  it('of one fleet are the same buoys, of two they are others', () => {
    const fleets = [
      { fleet: 'buoys', count: 3 },
      { fleet: 'buoys', count: 8 },
      { fleet: 'others', count: 8 },
    ];
    const buoys = createBuoys(fleets, walls, timing);
    const [three, eight, others] = fleets.map(({ fleet, count }) => buoys.positions(fleet, count));
    expect(three.x).toEqual(eight.x.subarray(0, 3));
    expect(others.x).not.toEqual(eight.x);
    expect(buoys.state()).toHaveLength(32);
    expect(createBuoys([], walls, timing).state()).toHaveLength(0);
  });

  it('of a checkpoint are refused where they are not as many as there are', () => {
    const buoys = createBuoys([{ fleet: 'buoys', count: 3 }], walls, timing);
    const state = buoys.state();
    expect(() => buoys.restore(state.subarray(1))).toThrow(ScenarioError);
    expect(() => buoys.restore(new Float64Array(0))).toThrow(/0 numbers of drifters, 6 are needed/);
    buoys.restore(state.map((place) => place / 2));
    expect(buoys.state()).toEqual(state.map((place) => place / 2));
  });
});
