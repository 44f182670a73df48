import { describe, expect, it } from 'vitest';
import { createReferenceBackend, ScenarioError } from '../../../engine/index.ts';
import { createShallowWater } from '../../../engine/models/index.ts';
import type { ShallowWaterDescription } from '../../../engine/models/index.ts';
import { divide } from '../../../engine/models/propagator.ts';
import { sourceCell, sourceSign, sourceTable } from '../../../engine/models/shallow-water/boundary.ts';
import { nextStep } from '../../../engine/models/stepping.ts';

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

describe('steps of a forecast', () => {
  it('are as long as asked for where that fits, and shorter where it does not', () => {
    expect(divide(1, 0.1)).toEqual({ steps: 10, timeStep: 0.1 });
    expect(divide(0.3, 0.1)).toEqual({ steps: 3, timeStep: 0.1 });
    expect(divide(1, 0.3)).toEqual({ steps: 4, timeStep: 0.25 });
    expect(divide(0.05, 0.1)).toEqual({ steps: 1, timeStep: 0.05 });
  });

  it('land on time with "auto", the last two alike', () => {
    let remaining = 1;
    const steps = [];
    while (remaining > 0) {
      const step = nextStep(3, remaining, 0.45);
      steps.push(step);
      remaining -= step;
    }
    expect(remaining).toBe(0);
    expect(Math.max(...steps)).toBeLessThanOrEqual(0.15);
    expect(steps.at(-1)).toBeClose(steps.at(-2) ?? NaN, { absolute: 1e-12 });
    // Nothing moves: one step takes it all.
    expect(nextStep(0, 5, 0.45)).toBe(5);
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

  it('are a table to the kernels: columns, then rows, the sign in the highest bit', () => {
    const table = sourceTable({ nx: 4, ny: 2 }, { x: 'wall', y: 'periodic' });
    const negative = 2 ** 31;
    const columns = [negative + 2, negative + 1, negative, 0, 1, 2, 3, negative + 3, negative + 2, negative + 1];
    expect([...table]).toEqual([...columns, 1, 0, 1, 0, 1, 0, 1, 0]);
  });
});
