import { describe, expect, test, it } from 'vitest';
import type { BasinInfo } from '../../../engine/index.ts';
import {
  gridAxis,
  skirtGeometry,
  surfaceGeometry,
  INNER_RADIUS,
  OUTER_RADIUS,
  ribbonGeometry,
  ringCell,
  ringPlace,
} from '../../../app/stage/grid-geometry.ts';
import { pickCell } from '../../../app/stage/picking.ts';

const basin: BasinInfo = {
  nx: 7,
  ny: 4,
  dx: 1,
  dy: 1,
  periodicX: false,
  periodicY: false,
  bed: new Float32Array(28),
  gravity: 9.81,
  coriolis: 0,
};

test('an axis has the middle of every cell and both edges', () => {
  const { at, cell } = gridAxis(3, 100);
  expect([...at]).toEqual([0, 0.5, 1.5, 2.5, 3]);
  expect([...cell]).toEqual([0, 0, 1, 2, 2]);
});

test.each([1, 5, 64, 1000, 1025])('an axis of %s cells keeps to its bound, first and last cell included', (n) => {
  const { at, cell } = gridAxis(n, 64);
  expect(at.length).toBeLessThanOrEqual(64 + 3);
  expect([cell[0], cell.at(-1)]).toEqual([0, n - 1]);
  for (let k = 1; k < at.length; k++) expect(at[k]).toBeGreaterThan(at[k - 1]);
});

describe('the surface', () => {
  test('covers the basin once, facing up', () => {
    const geometry = surfaceGeometry(basin);
    const position = geometry.getAttribute('position');
    const index = geometry.getIndex();
    let area = 0;
    for (let k = 0; k < (index?.count ?? 0); k += 3) {
      const [a, b, c] = [0, 1, 2].map((corner) => index?.getX(k + corner) ?? 0);
      const [ux, uz] = [position.getX(b) - position.getX(a), position.getZ(b) - position.getZ(a)];
      const [vx, vz] = [position.getX(c) - position.getX(a), position.getZ(c) - position.getZ(a)];
      const up = uz * vx - ux * vz;
      expect(up).toBeGreaterThan(0);
      area += up / 2;
    }
    // 7 × 4 cells in a scene where 7 are 2 long; float32 places.
    expect(area).toBeCloseTo((2 * 2 * 4) / 7, 5);
  });
});

describe('the skirt', () => {
  test('goes all the way round and faces outwards', () => {
    const geometry = skirtGeometry(basin);
    const position = geometry.getAttribute('position');
    const outward = geometry.getAttribute('outward');
    const index = geometry.getIndex();
    let length = 0;
    for (let k = 0; k < (index?.count ?? 0); k += 6) {
      const [a, , b] = [0, 1, 5].map((corner) => index?.getX(k + corner) ?? 0);
      length += Math.hypot(position.getX(b) - position.getX(a), position.getZ(b) - position.getZ(a));
    }
    expect(length).toBeCloseTo(2 * 2 + (2 * 2 * 4) / 7, 5);
    for (let k = 0; k < (index?.count ?? 0); k += 3) {
      const [a, b, c] = [0, 1, 2].map((corner) => index?.getX(k + corner) ?? 0);
      const edge = (from: number, to: number): readonly [number, number, number] => [
        position.getX(to) - position.getX(from),
        position.getY(to) - position.getY(from),
        position.getZ(to) - position.getZ(from),
      ];
      const [u, v] = [edge(a, b), edge(a, c)];
      const normal = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]];
      expect(normal[0] * outward.getX(a) + normal[2] * outward.getZ(a)).toBeGreaterThan(0);
    }
  });
});

const N = 40;

describe('a ring', () => {
  it('begins in the north and goes clockwise, seen from above', () => {
    const [north, east, south] = [0, 10, 20].map((i) => ringPlace(i, N, 1));
    expect([north.x, north.z]).toBeClose([0, -1], { absolute: 1e-15 });
    expect([east.x, east.z]).toBeClose([1, 0], { absolute: 1e-15 });
    expect([south.x, south.z]).toBeClose([0, 1], { absolute: 1e-15 });
  });

  it('finds each of its places again, also halfway to the next, and none beside the ribbon', () => {
    for (let i = 0; i < N; i++) {
      for (const radius of [INNER_RADIUS, OUTER_RADIUS]) {
        expect(ringCell(ringPlace(i, N, radius), N)).toBe(i);
        expect(ringCell(ringPlace(i + 0.49, N, radius), N)).toBe(i);
        expect(ringCell(ringPlace(i - 0.49, N, radius), N)).toBe(i);
      }
    }
    expect(ringCell({ x: 0, z: 0 }, N)).toBeUndefined();
    expect(ringCell({ x: 1.2, z: 0 }, N)).toBeUndefined();
  });

  it('closes: the ribbon ends where it began, and shows the first variable there', () => {
    const geometry = ribbonGeometry(N);
    const [position, cell] = [geometry.getAttribute('position'), geometry.getAttribute('cell')];
    expect(position.count).toBe(2 * (N + 1));
    const at = (vertex: number): number[] => [position.getX(vertex), position.getZ(vertex), cell.getX(vertex)];
    expect(at(2 * N)).toBeClose(at(0), { absolute: 1e-7 });
  });

  it('is picked where a ray meets its height, and not through its middle', () => {
    const field = { x: 1, z: 1, nx: N, ny: 1, isRing: true, lowest: -0.3, highest: 0.6, height: () => 0.2 };
    const { x, z } = ringPlace(7, N);
    expect(pickCell({ origin: [x, 3, z], direction: [0, -1, 0] }, field)).toEqual({ x: 7, y: 0 });
    expect(pickCell({ origin: [0, 3, 0], direction: [0, -1, 0] }, field)).toBeUndefined();
  });
});
