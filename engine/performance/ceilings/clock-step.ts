/** The steps in which clocks continue: browsers make them coarse on purpose, up to a tenth of a millisecond. */

const CHANGES = 16;
const LONGEST_MILLISECONDS = 20;

/** @returns the smallest step in which `performance.now()` was seen to continue, microseconds */
export function wallClockStep(now: () => number = () => performance.now()): number {
  const begin = now();
  let before = begin;
  let least = LONGEST_MILLISECONDS;
  for (let changes = 0; changes < CHANGES && before - begin < LONGEST_MILLISECONDS;) {
    const next = now();
    if (next <= before) continue;
    least = Math.min(least, next - before);
    before = next;
    changes += 1;
  }
  return least * 1000;
}

/**
 * @param microseconds times that are whole numbers of nanoseconds
 * @returns the greatest step that all of them are multiples of, microseconds; 0 where all are 0
 */
export function greatestStep(microseconds: readonly number[]): number {
  const nanoseconds = microseconds.map((time) => Math.round(time * 1000));
  return nanoseconds.reduce(greatestCommonDivisor, 0) / 1000;
}

function greatestCommonDivisor(a: number, b: number): number {
  let [x, y] = [a, b];
  while (y !== 0) [x, y] = [y, x % y];
  return x;
}
