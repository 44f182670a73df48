/** The one matcher for numbers: `expect(actual).toBeClose(expected, { relative, absolute })`, naming the worst index. */
import { expect } from 'vitest';

interface Tolerance {
  /** Allowed max|a − b| / max(1, max|b|), the measure of the oracle cases. */
  readonly relative?: number;
  /** Allowed max|a − b|. */
  readonly absolute?: number;
}

declare module 'vitest' {
  interface Matchers<T> {
    toBeClose(expected: ArrayLike<number> | number, tolerance: Tolerance): T;
  }
}

expect.extend({
  toBeClose(actual: ArrayLike<number> | number, expected: ArrayLike<number> | number, tolerance: Tolerance) {
    const a = typeof actual === 'number' ? [actual] : actual;
    const b = typeof expected === 'number' ? [expected] : expected;
    if (a.length !== b.length) {
      return { pass: false, message: () => `expected ${b.length} numbers, found ${a.length}` };
    }
    let worst = -1;
    let worstIndex = 0;
    let scale = 1;
    for (let i = 0; i < b.length; i++) {
      const difference = Math.abs(a[i] - b[i]);
      if (!(difference <= worst)) {
        worst = difference;
        worstIndex = i;
        if (Number.isNaN(difference)) break;
      }
      scale = Math.max(scale, Math.abs(b[i]));
    }
    const relative = worst / scale;
    const pass =
      !Number.isNaN(worst) &&
      (tolerance.relative === undefined || relative <= tolerance.relative) &&
      (tolerance.absolute === undefined || worst <= tolerance.absolute);
    return {
      pass,
      message: () =>
        `expected numbers ${pass ? 'not ' : ''}to be close (${JSON.stringify(tolerance)}): worst at index ${worstIndex}, ` +
        `found ${a[worstIndex]}, expected ${b[worstIndex]}, difference ${worst.toExponential(3)}, relative ${relative.toExponential(3)}`,
    };
  },
});
