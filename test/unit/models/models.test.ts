import { describe, expect, it } from 'vitest';
import { createReferenceBackend, LimitError, ScenarioError } from '../../../engine/index.ts';
import { createShallowWater } from '../../../engine/models/index.ts';
import type { ShallowWaterDescription } from '../../../engine/models/index.ts';
import { divide, divideAuto, frameSegments } from '../../../engine/models/division.ts';
import { sourceCell, sourceSign } from '../../../engine/models/shallow-water/basin.ts';
import { TICKS, nextTicks } from '../../../engine/models/stepping.ts';

const description: ShallowWaterDescription = {
  scheme: 'lax-wendroff',
  grid: { nx: 4, ny: 3, dx: 1, dy: 1, periodicX: false, periodicY: false },
  gravity: 9.8,
  timeStep: 0.1,
};

describe('createShallowWater', () => {
  it.each([
    [{ manning: 0.03 }, /model\.friction\.manning: .*found 0\.03; use scheme "central-upwind"/],
    [{ coriolis: { f: 1e-4, beta: 0 } }, /model\.coriolis: .*found f 0\.0001/],
    [{ bed: Float64Array.from({ length: 12 }, (_, i) => i) }, /model\.bathymetry: .*flat bottom/],
    [{ bed: new Float64Array(11) }, /found 11 elevations, the grid has 4 × 3/],
    [{ bed: new Float64Array(12).fill(NaN) }, /not a number/],
    [{ boundary: { x: 'periodic', y: 'wall' } }, /model\.boundary: found periodic, wall .* must agree/],
    [{ timeStep: 0 }, /model\.timeStep: found 0/],
    [{ timeStep: 'auto', courant: 1.5 }, /model\.courant: found 1\.5/],
    [{ gravity: -1 }, /model\.gravity: found -1/],
    [{ grid: { ...description.grid, nx: 0 } }, /grid\.nx: found 0/],
    [{ grid: { ...description.grid, dy: -1 } }, /grid\.dy: found -1/],
  ] as const)('refuses %j', (settings, message) => {
    expect(() => createShallowWater({ ...description, ...settings })).toThrow(message);
  });

  it('names all problems at once', () => {
    expect(() => createShallowWater({ ...description, gravity: 0, manning: 1 })).toThrow(ScenarioError);
    expect(() => createShallowWater({ ...description, gravity: 0, manning: 1 })).toThrow(/gravity.*\n.*manning/);
  });

  it('refuses a state of another size, and steps that are not a number of fixed ones', async () => {
    const backend = createReferenceBackend();
    const model = createShallowWater({ ...description, timeStep: 'auto' });
    expect(() => model.toState(new Float64Array(35))).toThrow(/35 numbers/);
    const propagator = await model.prepare(backend, 2);
    const state = backend.allocate('state', 'real', 36);
    await expect(propagator.advance(state, 1)).rejects.toThrow(/36 elements, 2 members .* have 72/);
    const right = backend.allocate('state', 'real', 72);
    await expect(propagator.advanceSteps(right, 1)).rejects.toThrow(/fixed time step/);
    await expect(propagator.advance(right, -1)).rejects.toThrow(RangeError);
    const fixed = await createShallowWater(description).prepare(backend, 2);
    await expect(fixed.advanceSteps(right, 0.5)).rejects.toThrow(RangeError);
  });
});

/** Steps, share and frames of each segment: "3 0.5 0:1" is 3 steps, to half of the forecast, where onlooker 0 has its frame 1. */
function cuts(steps: number, ...counts: number[]): string[] {
  return frameSegments(steps, counts).map(
    ({ steps: taken, share, due }) =>
      `${taken} ${share} ${due.map(({ onlooker, index }) => `${onlooker}:${index}`).join(' ')}`,
  );
}

/** A rate for each tick that has passed: as the step was made for, faster than that and its headroom, and back. */
function rateAt(passed: number): number {
  return passed < 10 || passed > 100 ? 1.25 : 1.3;
}

describe('steps of a forecast', () => {
  it('are as long as asked for where that fits, and shorter where it does not', () => {
    expect(divide(1, 0.1)).toEqual({ steps: 10, timeStep: 0.1 });
    expect(divide(0.3, 0.1)).toEqual({ steps: 3, timeStep: 0.1 });
    expect(divide(1, 0.3)).toEqual({ steps: 4, timeStep: 0.25 });
    expect(divide(0.05, 0.1)).toEqual({ steps: 1, timeStep: 0.05 });
  });

  it('are refused when they are too many', () => {
    for (const [seconds, step] of [
      [1e9, 0.1],
      [1, 1e-300],
      [1, 0],
    ])
      expect(() => divide(seconds, step)).toThrow(LimitError);
    expect(() => divideAuto(1e8, 3, 0.4)).toThrow(
      /a forecast of 100000000 s in steps of 0\.133 s takes 7\.50e\+8 steps/,
    );
  });

  it('are alike with "auto"; one if nothing moves', () => {
    expect(divideAuto(1, 3, 0.4)).toEqual({ steps: 8, timeStep: 0.125 });
    expect(divideAuto(5, 0, 0.4)).toEqual({ steps: 1, timeStep: 5 });
  });

  it('are halved with "auto" while waves need it, and end where the longest step would have', () => {
    let remaining = 3 * TICKS;
    const taken = [];
    while (remaining > 0) {
      const ticks = nextTicks(rateAt(3 * TICKS - remaining), remaining, 1, 1);
      taken.push(ticks / TICKS);
      remaining -= ticks;
    }
    expect(taken).toEqual([1, 0.5, 0.5, 1]);
    expect(remaining).toBe(0);
    expect(nextTicks(5, 7 * TICKS, 1, 1)).toBe(TICKS / 4);
    expect(nextTicks(1e9, 7 * TICKS, 1, 1)).toBe(1);
    expect(nextTicks(NaN, 7 * TICKS, 1, 1)).toBe(1);
    expect(nextTicks(0, TICKS + 8, 1, 1)).toBe(8);
  });

  it('are cut at evenly chosen frames, of each onlooker by itself', () => {
    expect(cuts(10)).toEqual(['10 1 ']);
    expect(cuts(10, 3)).toEqual(['3 0.3 0:0', '2 0.5 0:1', '3 0.8 0:2', '2 1 ']);
    expect(cuts(2, 9)).toEqual(['1 0.5 0:0', '1 1 ']);
    expect(cuts(1, 4)).toEqual(['1 1 ']);
    expect(cuts(10, 1, 3)).toEqual(['3 0.3 1:0', '2 0.5 0:0 1:1', '3 0.8 1:2', '2 1 ']);
  });
});

describe('boundaries', () => {
  it('reflect, wrap or continue, however far outside', () => {
    const indices = [-5, -2, -1, 0, 2, 3, 4, 8];
    expect(indices.map((i) => sourceCell(i, 3, 'wall'))).toEqual([1, 1, 0, 0, 2, 2, 1, 2]);
    expect(indices.map((i) => sourceSign(i, 3, 'wall'))).toEqual([1, -1, -1, 1, 1, -1, -1, 1]);
    expect(indices.map((i) => sourceCell(i, 3, 'periodic'))).toEqual([1, 1, 2, 0, 2, 0, 1, 2]);
    expect(indices.map((i) => sourceCell(i, 3, 'open'))).toEqual([0, 0, 0, 0, 2, 2, 2, 2]);
    expect([-2, -1, 0, 1, 2].map((i) => sourceSign(i, 1, 'wall'))).toEqual([1, -1, 1, -1, 1]);
  });
});
