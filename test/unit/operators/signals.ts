/** What the tests of linear operators share. */

/** ⟨a, b⟩. */
export function dot(a: Float64Array, b: Float64Array): number {
  return a.reduce((sum, value, i) => sum + value * b[i], 0);
}

/** i modulo n, never negative. */
export function wrap(i: number, n: number): number {
  return ((i % n) + n) % n;
}
