/** Problems of a file, of which a person is told the first and the number of the others: a million wrong lines have as many. */

/** Told one by one. */
const MAXIMUM_TOLD = 10;

export interface Tally {
  /** @param message made only where it will be told */
  tell(message: () => string): void;
  /** Whether nothing was told. */
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
