/** What becomes of a cycle that somebody types: shown, computed, or refused with a reason. Pure functions. */

/** Where a run is. */
export interface CycleBounds {
  /** Cycles that can be shown, ascending; −1 is the state before the first. */
  readonly shownCycles: readonly number[];
  /** The last cycle of the run, computed or not. */
  readonly last: number;
  /** Whether further cycles can be computed. */
  readonly goesOn: boolean;
}

export type TypedCycle =
  | { readonly kind: 'show'; readonly cycle: number }
  | { readonly kind: 'ahead'; readonly cycle: number }
  | { readonly kind: 'thinned'; readonly cycle: number }
  | { readonly kind: 'none'; readonly message: string };

/** What the field shows for the state before the first cycle, and what can be typed for it. */
export const START = 'start';

/** @returns the text of a cycle in the field and in the bar */
export function cycleText(cycle: number): string {
  return cycle < 0 ? START : String(cycle);
}

/** @returns what to do about a text in the field of the cycle; undefined for an empty one */
export function typedCycle(text: string, { shownCycles, last, goesOn }: CycleBounds): TypedCycle | undefined {
  const plain = text.trim().toLowerCase().replace('−', '-');
  if (plain === '') return undefined;
  const number = plain === START ? -1 : Number(plain);
  if (!Number.isInteger(number) || number < -1 || number > last) {
    return { kind: 'none', message: `Found ${text.trim()}; allowed: cycles 0 to ${last}, or “${START}”.` };
  }
  if (shownCycles.includes(number)) return { kind: 'show', cycle: number };
  const newest = shownCycles.at(-1) ?? -1;
  if (number < newest) return { kind: 'thinned', cycle: number };
  if (goesOn) return { kind: 'ahead', cycle: number };
  return { kind: 'none', message: `Cycle ${number} is not computed, and the run cannot continue.` };
}
