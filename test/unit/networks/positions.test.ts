import { describe, expect, it } from 'vitest';
import { lengths, positionsOf, randomPositions } from '../../../engine/networks/definition.ts';

const bounded = { nx: 7, ny: 5, dx: 2, dy: 1, periodicX: false, periodicY: false };
const periodic = { ...bounded, periodicX: true, periodicY: true };

const mean = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('lengths of the axes', () => {
  it('end at the outer centres between walls', () => {
    expect(lengths(bounded)).toEqual([6, 4]);
  });

  it('are the periods where the axes have one', () => {
    expect(lengths(periodic)).toEqual([7, 5]);
  });
});

it('positions of points are theirs, axis by axis', () => {
  const { x, y } = positionsOf([
    [1, 2],
    [3, 4],
  ]);
  expect([[...x], [...y]]).toEqual([
    [1, 3],
    [2, 4],
  ]);
});

describe('random positions', () => {
  const drawn = randomPositions(2000, bounded, 3, 'test', 1);

  it('lie within the axes', () => {
    for (const [values, length] of [
      [drawn.x, 6],
      [drawn.y, 4],
    ] as const) {
      expect(Math.min(...values)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...values)).toBeLessThan(length);
    }
  });

  it('are spread evenly: the means are those of the axes within four of their standard deviations', () => {
    // A uniform number on [0, a) has the standard deviation a/√12.
    const allowed = 4 / Math.sqrt(12 * 2000);
    expect(Math.abs(mean(drawn.x) / 6 - 0.5)).toBeLessThan(allowed);
    expect(Math.abs(mean(drawn.y) / 4 - 0.5)).toBeLessThan(allowed);
  });

  it('begin with the same places when there are fewer', () => {
    const few = randomPositions(10, bounded, 3, 'test', 1);
    expect([few.x, few.y]).toEqual([drawn.x.slice(0, 10), drawn.y.slice(0, 10)]);
  });

  it.each([
    ['seed', randomPositions(10, bounded, 4, 'test', 1)],
    ['stream', randomPositions(10, bounded, 3, 'other', 1)],
    ['cycle', randomPositions(10, bounded, 3, 'test', 2)],
  ])('are others with another %s', (_what, others) => {
    expect(others.x).not.toEqual(drawn.x.slice(0, 10));
  });
});
