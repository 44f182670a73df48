/** Whether the observations of a cycle lie where those of the cycle before did: what follows from their places alone is kept. */
import type { ObservedPositions } from '../method.ts';

/** Where and what is observed, as one list of numbers and words. */
function signatureOf({ x, y, variable }: ObservedPositions): readonly (number | string)[] {
  return [...x, ...y, ...variable];
}

/** @returns a function that tells whether positions differ from those that it was called with before; the first ones do */
export function createPositionChanges(
  signature: (positions: ObservedPositions) => readonly (number | string)[] = signatureOf,
): (positions: ObservedPositions) => boolean {
  let known: readonly (number | string)[] | undefined;
  return (positions) => {
    const found = signature(positions);
    const before = known;
    known = found;
    return before?.length !== found.length || found.some((value, index) => value !== before[index]);
  };
}
