import { describe, expect, it } from 'vitest';
import { atCentres, box, coarsen, meansOver, row } from '../../../engine/check/shallow-water/simulation.ts';
import { largest, order, passes, relativeL1, relativeL2 } from '../../../engine/check/measures.ts';

describe('measures', () => {
  it('norms are relative to the exact values', () => {
    const exact = Float64Array.of(1, -2, 2);
    const found = Float64Array.of(1.5, -2, 1);
    expect(relativeL1(found, exact)).toBeCloseTo(1.5 / 5, 15);
    expect(relativeL2(found, exact)).toBeCloseTo(Math.sqrt(1.25 / 9), 15);
  });

  it('the largest is by size, and NaN is not lost', () => {
    expect(largest(Float64Array.of(1, -3, 2))).toBe(3);
    expect(largest(Float64Array.of(1, NaN, 2))).toBeNaN();
  });

  it('the order is the median slope', () => {
    expect(order([10, 20, 40], [1, 1 / 4, 1 / 16])).toBeCloseTo(2, 14);
    expect(order([10, 20, 40, 80], [1, 1 / 4, 1 / 8, 1 / 64])).toBeCloseTo(2, 14);
    expect(order([10, 20, 40], [1, 1 / 2, 1 / 8])).toBeCloseTo(1.5, 14);
  });

  it('a measurement that is not a number passes no bar', () => {
    expect(passes({ what: '', value: NaN, bar: { atMost: 1 } })).toBe(false);
    expect(passes({ what: '', value: NaN, bar: { atLeast: 1 } })).toBe(false);
    expect(passes({ what: '', value: 1, bar: { atMost: 1 } })).toBe(true);
    expect(passes({ what: '', value: 0.9, bar: { atLeast: 1 } })).toBe(false);
  });
});

const parabola = (x: number, y: number) => x * x + y;

describe('cells', () => {
  it('centres and means of x² + y differ by dx²/12', () => {
    const cells = box(3, 2, [0, 3], [-1, 1]);
    expect(atCentres(cells, parabola)).toBeClose([-0.25, 1.75, 5.75, 0.75, 2.75, 6.75], { absolute: 1e-14 });
    // The midpoint rule on 8 parts leaves 1/64 of the difference.
    const means = meansOver(cells, parabola);
    expect(means[0] + 0.25).toBeCloseTo((1 / 12) * (63 / 64), 12);
  });

  it('a row is square cells around y = 0', () => {
    expect(row(4, [0, 2])).toEqual({ nx: 4, ny: 1, x0: 0, y0: -0.25, dx: 0.5, dy: 0.5 });
  });

  it('coarsening takes the means of blocks', () => {
    expect(coarsen(Float64Array.of(1, 2, 3, 4, 5, 6, 7, 8), { nx: 4, ny: 2 }, 2)).toEqual(Float64Array.of(3.5, 5.5));
  });
});
