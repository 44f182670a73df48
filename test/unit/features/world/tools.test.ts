/** Where a brush puts gauges: on its lattice, once each, in water, also over a periodic end. */
import { describe, expect, it } from 'vitest';
import {
  cellIndex,
  cellsUnder,
  distanceFrom,
  isOnLattice,
  isWater,
  metresBetween,
  nearestPlace,
  painted,
  placesUnder,
  waterCells,
  type Waters,
} from '../../../../app/features/world/tools.ts';

/** @param land cells that rise out of the water */
function waters(changes: Partial<Waters> = {}, land: readonly (readonly [number, number])[] = []): Waters {
  const of = { nx: 12, ny: 10, dx: 2, dy: 2, periodicX: false, periodicY: false, ...changes };
  const bed = new Float32Array(of.nx * of.ny).fill(-1);
  for (const [x, y] of land) bed[y * of.nx + x] = 0.5;
  return { bed, ...of };
}

const point = (x: number, y: number) => ({ x, y });
const nothing = (): boolean => false;
const text = (places: readonly { readonly x: number; readonly y: number }[]): string[] =>
  places.map(({ x, y }) => `${x} ${y}`).sort();

describe('the cells under a brush', () => {
  it('are those whose middle is no farther than its radius, which is in metres', () => {
    const at = point(5, 5);
    expect(text(cellsUnder(waters(), { from: at, to: at, radius: 2 }))).toStrictEqual(
      text([point(4, 5), point(5, 4), point(5, 5), point(5, 6), point(6, 5)]),
    );
    // Cells half as wide: twice as many of them are as near.
    const narrow = waters({ dx: 1 });
    expect(text(cellsUnder(narrow, { from: at, to: at, radius: 2 }))).toStrictEqual(
      text([3, 4, 5, 6, 7].map((x) => point(x, 5)).concat(point(5, 4), point(5, 6))),
    );
  });

  it('end with the basin, or continue at its other end', () => {
    const at = point(0, 9);
    const reach = { from: at, to: at, radius: 2 };
    expect(text(cellsUnder(waters(), reach))).toStrictEqual(text([point(0, 8), point(0, 9), point(1, 9)]));
    expect(text(cellsUnder(waters({ periodicX: true, periodicY: true }), reach))).toStrictEqual(
      text([point(11, 9), point(0, 8), point(0, 9), point(0, 0), point(1, 9)]),
    );
  });

  it('of a quick stroke leave none out: all that are near to the line between', () => {
    const basin = waters();
    const reach = { from: point(1, 1), to: point(10, 7), radius: 3 };
    const all = Array.from({ length: basin.nx * basin.ny }, (_, k) => point(k % basin.nx, Math.floor(k / basin.nx)));
    expect(text(cellsUnder(basin, reach))).toStrictEqual(
      text(all.filter((place) => distanceFrom(reach, basin, place) <= 3)),
    );
    // The ends are round, the middle is straight.
    expect(distanceFrom(reach, basin, point(1, 0))).toBe(2);
    expect(distanceFrom({ from: point(0, 0), to: point(6, 0) }, basin, point(3, 2))).toBe(4);
  });
});

describe('a brush that paints', () => {
  it('puts gauges on one lattice, however the stroke goes', () => {
    const basin = waters();
    const there = painted(basin, { from: point(2, 5), to: point(9, 5), radius: 5 }, 3, nothing);
    const back = painted(basin, { from: point(9, 5), to: point(2, 5), radius: 5 }, 3, nothing);
    expect(there.length).toBeGreaterThan(3);
    expect(there.every((place) => isOnLattice(place, 3))).toBe(true);
    expect(text(there)).toStrictEqual(text(back));
    // As a regular network of that stride has them: the first ones half a stride from the corner.
    expect(isOnLattice(point(1, 1), 3)).toBe(true);
    expect(isOnLattice(point(0, 1), 3)).toBe(false);
  });

  it('puts none on land, and none where one is', () => {
    const basin = waters({}, [[4, 5]]);
    const reach = { from: point(5, 5), to: point(5, 5), radius: 2 };
    const taken = new Set([cellIndex(basin, point(5, 4))]);
    expect(text(painted(basin, reach, 1, (cell) => taken.has(cell)))).toStrictEqual(
      text([point(5, 5), point(5, 6), point(6, 5)]),
    );
    expect([isWater(basin, point(4, 5)), isWater(basin, point(5, 5)), waterCells(basin)]).toStrictEqual([
      false,
      true,
      119,
    ]);
  });

  it('finds no land on a ring, whose bed is none', () => {
    const ring = waters({ nx: 12, ny: 1, bed: new Float32Array(12), isRing: true, periodicX: true });
    expect(painted(ring, { from: point(0, 0), to: point(1, 0), radius: 2 }, 1, nothing)).toHaveLength(4);
    expect(waterCells(ring)).toBe(12);
  });

  it('puts one at a place, though a wide brush covers a periodic basin more than once', () => {
    const basin = waters({ periodicX: true, periodicY: true });
    const found = painted(basin, { from: point(5, 5), to: point(5, 5), radius: 40 }, 1, nothing);
    expect(found).toHaveLength(120);
    expect(new Set(text(found)).size).toBe(120);
  });
});

describe('an eraser and a hand', () => {
  const gauges = [point(0, 5), point(5, 5), point(5.4, 5), point(11, 5)];

  it('take the gauges under the brush, between the middles of cells too', () => {
    const at = point(5, 5);
    expect(placesUnder(waters(), { from: at, to: at, radius: 1 }, gauges)).toStrictEqual([point(5, 5), point(5.4, 5)]);
    expect(placesUnder(waters(), { from: at, to: at, radius: 0.5 }, gauges)).toStrictEqual([point(5, 5)]);
  });

  it('reach over a periodic end', () => {
    const reach = { from: point(0, 5), to: point(0, 5), radius: 2 };
    expect(placesUnder(waters(), reach, gauges)).toStrictEqual([point(0, 5)]);
    expect(placesUnder(waters({ periodicX: true }), reach, gauges)).toStrictEqual([point(0, 5), point(11, 5)]);
  });

  it('find the nearest gauge, and none that is too far', () => {
    expect(nearestPlace(waters(), point(6, 5), 4, gauges)).toStrictEqual(point(5.4, 5));
    expect(nearestPlace(waters(), point(8, 8), 3, gauges)).toBeUndefined();
    expect(metresBetween(waters({ dy: 1 }), point(1, 1), point(3, 4))).toBe(5);
  });
});
