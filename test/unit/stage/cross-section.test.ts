import { describe, expect, test } from 'vitest';
import { cutPath, valuesAlong } from '../../../app/stage/overlays/cut-strip.tsx';

describe('the path of a cut', () => {
  test('begins and ends where it was drawn, in metres', () => {
    const path = cutPath({ from: { x: 1, y: 2 }, to: { x: 4, y: 6 } }, { dx: 100, dy: 50 });
    expect([path.x[0], path.y[0], path.distance[0]]).toEqual([1, 2, 0]);
    expect([path.x.at(-1), path.y.at(-1)]).toEqual([4, 6]);
    expect(path.distance.at(-1)).toBeCloseTo(Math.hypot(300, 200), 9);
    expect(path.x.length).toBe(11);
  });

  test('is bounded in length', () => {
    expect(cutPath({ from: { x: 0, y: 0 }, to: { x: 5000, y: 0 } }, { dx: 1, dy: 1 }).x.length).toBe(600);
    expect(cutPath({ from: { x: 3, y: 3 }, to: { x: 3, y: 3 } }, { dx: 1, dy: 1 }).x.length).toBe(2);
  });
});

describe('values along it', () => {
  test('are exact for what is linear', () => {
    const path = cutPath({ from: { x: 0.3, y: 0 }, to: { x: 6.2, y: 4 } }, { dx: 1, dy: 1 });
    const values = valuesAlong(path, (i, j) => 2 * i - 3 * j + 1, 8, 5);
    // A few operations on numbers up to 20: 20 · 2⁻⁵² · 8.
    for (const [k, value] of values.entries())
      expect(Math.abs(value - (2 * path.x[k] - 3 * path.y[k] + 1))).toBeLessThan(4e-14);
  });

  test('take the outermost cells beyond them, and a basin of one cell', () => {
    const path = cutPath({ from: { x: -5, y: 0 }, to: { x: 9, y: 0 } }, { dx: 1, dy: 1 });
    const values = valuesAlong(path, (i) => i, 4, 1);
    expect([values[0], values.at(-1)]).toEqual([0, 3]);
    expect([...valuesAlong(path, () => 7, 1, 1)].every((value) => value === 7)).toBe(true);
  });

  test('are gaps where land is', () => {
    const path = cutPath({ from: { x: 0, y: 0 }, to: { x: 3, y: 0 } }, { dx: 1, dy: 1 });
    expect(valuesAlong(path, (i) => (i === 2 ? Number.NaN : 1), 4, 1).some(Number.isNaN)).toBe(true);
  });
});
