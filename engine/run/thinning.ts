/** Which of a row of stored cycles is missed least: rows within a bound of memory thin out by it, their past first. */

/**
 * @param cycles ascending, three or more; the first and the last are never chosen
 * @returns position of the one in the older half whose absence leaves the smallest gap; the oldest of several
 */
export function leastMissed(cycles: readonly number[]): number {
  const last = Math.max(1, Math.floor(cycles.length / 2));
  let found = 1;
  let smallest = Infinity;
  for (let i = 1; i <= last && i < cycles.length - 1; i++) {
    const gap = cycles[i + 1] - cycles[i - 1];
    if (gap < smallest) [found, smallest] = [i, gap];
  }
  return found;
}
