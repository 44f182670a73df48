// Arrays of the circle of the Lorenz-96 model, which repeat the variables of the other end: x₋₂, x₋₁, x₀ … x_{n−1}, x_n, x_{n+1}.

/** Offset of the first variable in an array of the circle, bytes. */
export const FIRST: usize = 16;

/** Bytes of such an array: the circle, what it repeats, and what vectors reach beyond. */
// @ts-ignore: decorator
@inline
export function arrayBytes(n: i32): usize {
  return <usize>(((n + 3) & ~3) + 12) << 2;
}

/** Repeats the variables of either end beyond the other. */
export function closeCircle(x: usize, n: i32): void {
  const end = x + FIRST + (<usize>n << 2);
  f32.store(x + FIRST - 8, f32.load(end - 8));
  f32.store(x + FIRST - 4, f32.load(end - 4));
  f32.store(end, f32.load(x + FIRST));
  f32.store(end + 4, f32.load(x + FIRST + 4));
}
