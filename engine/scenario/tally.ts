/** Problems of a file, of which the first are reported and the others counted: a million wrong lines have as many. */

/** Problems that are reported one by one. */
const MAXIMUM_TOLD = 10;

export interface Tally {
  /** @param message made only if it will be reported */
  tell(message: () => string): void;
  /** Whether nothing was reported. */
  isEmpty(): boolean;
  /** The first problems, and how many more there are. */
  lines(): readonly string[];
}

export function createTally(most = MAXIMUM_TOLD): Tally {
  const told: string[] = [];
  let count = 0;
  return {
    tell(message) {
      count += 1;
      if (count <= most) told.push(message());
    },
    isEmpty: () => count === 0,
    lines() {
      const more = count - told.length;
      return more === 0 ? told : [...told, `${more} more ${more === 1 ? 'problem' : 'problems'}`];
    },
  };
}
