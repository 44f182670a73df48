/** Whether the observations of two cycles lie in the same places: what follows from these alone is kept. */
import type { ObservedPositions } from '../method.ts';

/** Whether the same is observed in the same places: the arrays are new ones where anything has changed. */
export function observesAlike(a: ObservedPositions | undefined, b: ObservedPositions): a is ObservedPositions {
  return a?.x === b.x && a.y === b.y && a.variable === b.variable;
}
