/** Inputs for the tests of linear operators. */

/** A fixed signal without structure, in [−1, 1), exact in float32. */
export function noise(length: number, seed = 1): Float64Array {
  let state = seed;
  return Float64Array.from({ length }, () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.fround(state / 2 ** 31 - 1);
  });
}

/** ⟨a, b⟩. */
export function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

/** i modulo n, never negative. */
export function wrap(i: number, n: number): number {
  return ((i % n) + n) % n;
}
