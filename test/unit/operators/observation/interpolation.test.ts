import { describe, expect, it } from 'vitest';
import { CaseError } from '../../../../engine/index.ts';
import { bilinearStencil } from '../../../../engine/operators/observation/index.ts';
import { bounded } from './flow.ts';

/** A function that bilinear interpolation reproduces. */
function bilinear(x: number, y: number): number {
  return 1 + 2 * x - 3 * y + 0.5 * x * y;
}

describe('bilinear stencil', () => {
  it('reproduces a function that is linear in x, in y, and in xy, to the last centre', () => {
    const x = [0, 6, 0, 6, 2.25, 5.999, 3];
    const y = [0, 0, 4, 4, 3.75, 3.999, 2];
    const { corners, weights } = bilinearStencil(bounded, x, y);
    for (let point = 0; point < x.length; point++) {
      let sum = 0;
      for (let c = 4 * point; c < 4 * point + 4; c++) {
        sum += weights[c] * bilinear(corners[c] % bounded.nx, Math.floor(corners[c] / bounded.nx));
      }
      // Four products of numbers below 20, each rounded: 8 × 20 × 1.1e-16.
      expect(sum).toBeClose(bilinear(x[point], y[point]), { absolute: 2e-14 });
    }
  });

  it('wraps around periodic axes and takes a single cell for itself', () => {
    const periodic = bilinearStencil({ ...bounded, periodicX: true, periodicY: true }, [6.25], [4.5]);
    expect([...periodic.corners]).toEqual([34, 28, 6, 0]);
    expect(periodic.weights).toBeClose([0.375, 0.125, 0.375, 0.125], { absolute: 0 });
    const line = bilinearStencil({ nx: 4, ny: 1, periodicX: true, periodicY: true }, [3.5], [0]);
    expect([...line.corners]).toEqual([3, 0, 3, 0]);
    expect(line.weights).toBeClose([0.5, 0.5, 0, 0], { absolute: 0 });
    const single = bilinearStencil({ nx: 1, ny: 1, periodicX: false, periodicY: false }, [0], [0]);
    expect([...single.corners]).toEqual([0, 0, 0, 0]);
    expect(single.weights).toBeClose([1, 0, 0, 0], { absolute: 0 });
  });

  it.each([
    [6.01, 1, /observation 1 at \(x 6.01, y 1\).*0 ≤ x ≤ 6/],
    [-0.01, 1, /0 ≤ x ≤ 6/],
    [1, 4.5, /0 ≤ y ≤ 4/],
    [NaN, 1, /0 ≤ x ≤ 6/],
  ])('refuses a point outside: (%d, %d)', (x, y, message) => {
    expect(() => bilinearStencil(bounded, [0, x], [0, y])).toThrow(CaseError);
    expect(() => bilinearStencil(bounded, [0, x], [0, y])).toThrow(message);
  });

  it('refuses the size itself on a periodic axis', () => {
    expect(() => bilinearStencil({ ...bounded, periodicX: true }, [7], [0])).toThrow(/0 ≤ x < 7/);
  });
});
