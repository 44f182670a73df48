import { describe, expect, test } from 'vitest';
import { cellAt, insideBox, pickCell } from '../../../app/stage/picking.ts';
import type { HeightField } from '../../../app/stage/picking.ts';

const flat: HeightField = { x: 1, z: 0.5, nx: 20, ny: 10, lowest: -0.1, highest: 0.3, height: () => 0 };

test('a cell is found by its place, from the south-west', () => {
  expect(cellAt(flat, -0.99, 0.49)).toEqual({ x: 0, y: 0 });
  expect(cellAt(flat, 0.99, -0.49)).toEqual({ x: 19, y: 9 });
  expect(cellAt(flat, 0.01, -0.01)).toEqual({ x: 10, y: 5 });
  expect(cellAt(flat, 5, 5)).toEqual({ x: 19, y: 0 });
});

test('a ray is cut by a box', () => {
  const ray = { origin: [0, 2, 0], direction: [0, -1, 0] } as const;
  expect(insideBox(ray, [-1, 0, -1], [1, 1, 1])).toEqual([1, 2]);
  expect(insideBox({ ...ray, origin: [3, 2, 0] }, [-1, 0, -1], [1, 1, 1])).toBeUndefined();
  expect(insideBox({ ...ray, direction: [0, 1, 0] }, [-1, 0, -1], [1, 1, 1])).toBeUndefined();
});

describe('picking', () => {
  test('straight down gives the cell beneath, every one of them', () => {
    for (let y = 0; y < flat.ny; y++) {
      for (let x = 0; x < flat.nx; x++) {
        const origin = [((x + 0.5) / flat.nx) * 2 - 1, 3, 0.5 - (y + 0.5) / flat.ny] as const;
        expect(pickCell({ origin, direction: [0, -1, 0] }, flat)).toEqual({ x, y });
      }
    }
  });

  test('askance, what is in front is hit first', () => {
    const wall: HeightField = { ...flat, height: (i) => (i === 12 ? 0.3 : 0) };
    const ray = { origin: [2, 0.5, 0.01], direction: [-2, -0.5, 0] } as const;
    // On level ground the ray comes down in the middle; the wall in column 12 reaches above it before.
    expect(pickCell(ray, flat)?.x).toBeLessThanOrEqual(10);
    expect(pickCell(ray, wall)?.x).toBe(12);
  });

  test('past the basin there is nothing', () => {
    expect(pickCell({ origin: [0, 1, 0], direction: [0, 1, 0] }, flat)).toBeUndefined();
    expect(pickCell({ origin: [4, 1, 0], direction: [0, -1, 0] }, flat)).toBeUndefined();
  });
});
