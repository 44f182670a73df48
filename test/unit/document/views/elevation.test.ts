import { expect, test } from 'vitest';
import { BASIN_LENGTH } from '../../../../engine/index.ts';
import type { BasinInfo } from '../../../../engine/index.ts';
import {
  elevationScale,
  heightOf,
  liftGrowth,
  nearestStep,
  suggestExaggeration,
  unitsPerMetre,
} from '../../../../app/document/views/elevation.ts';

function basin(bed: readonly number[]): BasinInfo {
  return {
    nx: bed.length,
    ny: 1,
    dx: 1000,
    dy: 1000,
    periodicX: false,
    periodicY: false,
    bed: Float32Array.from(bed),
    gravity: 9.81,
    coriolis: 0,
  };
}

test('the longer side has its length in the scene', () => {
  expect(unitsPerMetre(basin([-1, -1, -1, -1])) * 4000).toBeCloseTo(BASIN_LENGTH, 12);
});

test.each([
  [1.3, 1],
  [1.5, 2],
  [3, 2],
  [4, 5],
  [740, 1000],
  [0.0061, 0.005],
])('%s is nearest to the step %s', (value, step) => {
  expect(nearestStep(value)).toBeCloseTo(step, 12);
});

test('waves of any size are drawn about as high; water at rest is not exaggerated', () => {
  const where = basin([-10, -10, -10, -10]);
  for (const amplitude of [1e-4, 0.03, 0.5, 7]) {
    const height = heightOf(elevationScale(where, suggestExaggeration(where, amplitude), amplitude), amplitude);
    expect(height).toBeGreaterThan(0.1);
    expect(height).toBeLessThan(0.26);
  }
  expect(suggestExaggeration(where, 0)).toBe(1);
});

test('what lifts the water in place of its surface is drawn about as high as waves, in distinguishable steps', () => {
  const where = basin([-10, -10, -10, -10]);
  for (const reach of [1e-5, 0.004, 0.3, 4]) {
    const growth = liftGrowth(where, 0.5, reach);
    expect(growth).toBe(nearestStep(growth));
    // Steps of 1, 2, 5 are at most half of 2.5 apart on a logarithmic scale.
    expect((growth * reach) / 0.5).toBeGreaterThan(1 / Math.sqrt(2.5));
    expect((growth * reach) / 0.5).toBeLessThan(Math.sqrt(2.5));
  }
  expect(liftGrowth({ isRing: true }, 12, 0.7)).toBeCloseTo(12 / 0.7, 12);
  expect([liftGrowth(where, 0, 1), liftGrowth(where, 1, 0)]).toEqual([1, 1]);
});

test('what is higher is drawn higher, from the deepest bed to the highest land', () => {
  const where = basin([-4000, -30, 0.4, 900]);
  const scale = elevationScale(where, 20_000, 0.3);
  const elevations = [-4000, -1000, -30, -1, -0.45, -0.3, 0, 0.2, 0.44, 0.5, 5, 900];
  const heights = elevations.map((z) => heightOf(scale, z));
  for (let k = 1; k < heights.length; k++) expect(heights[k]).toBeGreaterThan(heights[k - 1]);
  // Within the knee the exaggeration is what it says.
  expect(heightOf(scale, 0.2) - heightOf(scale, -0.2)).toBeCloseTo(0.4 * 20_000 * unitsPerMetre(where), 9);
  // An ocean does not fall off the screen.
  expect(heightOf(scale, -4000)).toBeGreaterThan(-6);
});
