/** A ring in the scene: where its places are, and which place is under a point. */
import { describe, expect, it } from 'vitest';
import { pickCell } from '../../../app/stage/picking.ts';
import { INNER_RADIUS, OUTER_RADIUS, ribbonGeometry, ringCell, ringPlace } from '../../../app/stage/ring-geometry.ts';

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
