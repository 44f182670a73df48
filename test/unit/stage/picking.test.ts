import { describe, expect, test, it } from 'vitest';
import {
  cellAt,
  insideBox,
  pickCell,
  type HeightField,
  createWaveWatch,
  highestWave,
} from '../../../app/stage/picking.ts';
import type { BasinInfo, Plane } from '../../../engine/index.ts';

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

const [nx, ny] = [40, 20];
const DRY = 1e-3;
const MIDDLE = { x: 0, z: 0 };

function basinOf(bed = new Float32Array(nx * ny).fill(-1)): BasinInfo {
  return { nx, ny, dx: 1, dy: 1, periodicX: false, periodicY: false, bed, gravity: 9.81, coriolis: 0 };
}

type Wave = readonly [i: number, j: number, height: number];

/** Still water with waves of a height at cells. */
function water(...waves: readonly Wave[]): Float32Array {
  const eta = new Float32Array(nx * ny);
  for (const [i, j, height] of waves) eta[j * nx + i] = height;
  return eta;
}

/** The longer side of a basin is 2 in the scene: cells are 0.05 wide, north is at the lower z. */
function placeOf(i: number, j: number): { readonly x: number; readonly z: number } {
  return { x: (i + 0.5) / 20 - 1, z: 0.5 - (j + 0.5) / 20 };
}

describe('the highest wave', () => {
  it('is where the water is highest', () => {
    const found = highestWave(water([30, 4, 0.3], [10, 15, 0.1]), basinOf(), DRY, MIDDLE);
    expect(found?.x).toBeCloseTo(placeOf(30, 4).x, 12);
    expect(found?.z).toBeCloseTo(placeOf(30, 4).z, 12);
  });

  it.each([
    ['stays the one that is looked at while another is as high', 0.3, 35],
    ['changes to one that is much higher', 0.5, 5],
  ])('%s', (_, height, expected) => {
    const near = placeOf(35, 10);
    expect(highestWave(water([35, 10, 0.3], [5, 10, height]), basinOf(), DRY, near)?.x).toBeCloseTo(
      placeOf(expected, 10).x,
      12,
    );
  });

  it('is no dry land, and is nowhere where no water is above its level', () => {
    const bed = new Float32Array(nx * ny).fill(-1);
    bed[10 * nx + 5] = 0.5;
    const eta = water([5, 10, 0.5], [30, 4, 0.1]);
    expect(highestWave(eta, basinOf(bed), DRY, MIDDLE)?.x).toBeCloseTo(placeOf(30, 4).x, 12);
    expect(highestWave(water([3, 3, -0.2]), basinOf(), DRY, MIDDLE)).toBeUndefined();
    expect(highestWave(new Float32Array(nx * ny).fill(Number.NaN), basinOf(), DRY, MIDDLE)).toBeUndefined();
  });
});

function plane(...waves: readonly Wave[]): Plane {
  return { kind: 'host', values: water(...waves) };
}

/** Numbers of one plane. */
function here(known: Plane) {
  return (asked: Plane | undefined) => (asked === known && known.kind === 'host' ? known.values : undefined);
}

describe('a camera that follows it', () => {
  it('looks by the first plane whose numbers are here, and keeps the basin in the picture', () => {
    const [coming, passed] = [plane([39, 10, 1]), plane([0, 10, 1])];
    const watch = createWaveWatch(basinOf(), DRY);
    expect(watch([coming, passed], here(coming), MIDDLE)?.x).toBeCloseTo(0.7 * placeOf(39, 10).x, 12);
    expect(watch([coming, passed], here(passed), MIDDLE)?.x).toBeCloseTo(0.7 * placeOf(0, 10).x, 12);
    expect(watch([coming], here(passed), MIDDLE)).toBeUndefined();
  });

  it('keeps its wave for as long as the plane is on screen, wherever the camera has come to', () => {
    const alike = plane([0, 10, 1], [39, 10, 1]);
    const watch = createWaveWatch(basinOf(), DRY);
    const first = watch([alike], here(alike), { x: 0.5, z: 0 });
    expect(watch([alike], here(alike), { x: -0.5, z: 0 })).toBe(first);
  });
});
