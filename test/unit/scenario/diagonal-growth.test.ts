import { describe, expect, it } from 'vitest';
import { foldingTime, largestAmplification } from '../../../engine/scenario/diagonal-growth.ts';
import { largestAmplification as ofTheScheme } from '../../verification/shallow-water/von-neumann.ts';

const still = { gravity: 9.8, depth: 1, dx: 1, dy: 1 };

describe('the growth of diagonal waves in Moler’s scheme', () => {
  it.each([
    [0.02, 1.00025],
    [0.05, 1.00156],
    [0.1, 1.00675],
    [0.15, 1.0174],
    [0.2, 1.03952],
  ])('a step of %f s amplifies by %f at most', (timeStep, expected) => {
    expect(largestAmplification({ ...still, timeStep })).toBeCloseTo(expected, 5);
    // The maximum over all angles, of which 41 an axis miss a little.
    const courant = timeStep * Math.sqrt(9.8);
    const exact = Math.sqrt(1 + courant ** 2 / (8 * (1 - courant ** 2)));
    expect(largestAmplification({ ...still, timeStep })).toBeLessThanOrEqual(exact);
    expect(largestAmplification({ ...still, timeStep })).toBeGreaterThan(1 + 0.98 * (exact - 1));
  });

  it('is that of the scheme itself, also for cells that are not square', async () => {
    for (const waves of [
      { ...still, timeStep: 0.1 },
      { gravity: 9.81, depth: 20, dx: 10, dy: 25, timeStep: 0.3 },
    ]) {
      const found = await ofTheScheme({ scheme: 'lax-wendroff', ...waves });
      expect(largestAmplification(waves)).toBeCloseTo(found, 8);
    }
  });

  it('takes e-folding times of 15 s at 0.1 s, and 82 s at 0.02 s', () => {
    expect(foldingTime({ ...still, timeStep: 0.1 })).toBeCloseTo(14.9, 1);
    expect(foldingTime({ ...still, timeStep: 0.02 })).toBeCloseTo(81.6, 0);
    // Exponential at any step: as 16 dx²/(g h dt) where the step is short.
    expect(foldingTime({ ...still, timeStep: 1e-4 })).toBeCloseTo(16 / (9.8 * 1e-4), -3);
  });
});
