/**
 * Several methods over the same seeds. Comparisons between them are many, and the method that they are compared with is often
 * chosen after the fact because it has the least error, so that each verdict by itself would be wrong too often: of four equal
 * methods over ten seeds one would be named better in 9 % of cases, over twenty in 16 %. The verdicts here are corrected by Holm's
 * procedure over all pairs of methods, which bounds the probability of any wrong verdict by 1 − level whichever pairs are looked
 * at. [holm1979]
 */
import { comparePaired, exchangePaired, leaderOf, leastProbability } from './compare-paired.ts';
import type { ComparisonOptions, PairedComparison } from './compare-paired.ts';
import type { Verdict } from './comparison.ts';
import { USUAL_LEVEL } from './median-interval.ts';

type Values = readonly (number | null)[];

/** Comparisons of a family by two indices of its methods. */
export interface PairedFamily {
  /** @returns the comparison of a with b; undefined if no seed has a value of either */
  readonly between: (a: number, b: number) => PairedComparison | undefined;
  /** Comparisons for which the verdicts are corrected: of methods that give the same values, one counts. */
  readonly size: number;
}

function isSame(a: Values, b: Values): boolean {
  return a.length === b.length && a.every((value, index) => value === b[index]);
}

function pairsOf<Item>(items: readonly Item[]): (readonly [Item, Item])[] {
  return items.flatMap((a, index) => items.slice(index + 1).map((b) => [a, b] as const));
}

interface Entry {
  readonly a: number;
  readonly b: number;
  readonly found: PairedComparison;
}

/** Holm's step-down: the k-th smallest of m probabilities is multiplied by m − k + 1, and is at least those before it. */
function corrected(entries: readonly Entry[], level: number): Entry[] {
  const sorted = entries.toSorted((one, other) => one.found.probability - other.found.probability);
  let largest = 0;
  return sorted.map(({ found, ...pair }, index) => {
    const remaining = sorted.length - index;
    const probability = Math.min(1, Math.max(largest, remaining * found.probability));
    largest = probability;
    const isPossible = sorted.length * leastProbability(found.pairs) <= 1 - level;
    const verdict: Verdict = probability <= 1 - level ? leaderOf(found) : isPossible ? 'undecided' : 'too-few';
    return { ...pair, found: { ...found, probability, verdict } };
  });
}

/**
 * @param methods the values of each method by seed, as for `comparePaired`; the seeds of all are the same
 * @throws RangeError if the methods have different numbers of seeds
 */
export function compareFamily(methods: readonly Values[], options: ComparisonOptions = {}): PairedFamily {
  const { level = USUAL_LEVEL } = options;
  // Methods with the same values are one method, to which no setting makes a difference.
  const first = methods.map((values) => methods.findIndex((other) => isSame(other, values)));
  const entries = pairsOf([...new Set(first)]).flatMap(([a, b]): Entry[] => {
    const found = comparePaired(methods[a], methods[b], options);
    return found ? [{ a, b, found }] : [];
  });
  const family = corrected(entries, level);
  return {
    size: family.length,
    between(a, b) {
      const [one, other] = [first[a], first[b]];
      if (one === other) return comparePaired(methods[a], methods[b], options);
      const entry = family.find((each) => each.a === Math.min(one, other) && each.b === Math.max(one, other));
      return entry && (entry.a === one ? entry.found : exchangePaired(entry.found));
    },
  };
}

/** @returns the number of seeds with which a method that is better on each of them is named best among so many methods */
export function fewestSeeds(methods: number, level = USUAL_LEVEL): number {
  const comparisons = Math.max(1, (methods * (methods - 1)) / 2);
  let seeds = 1;
  while (comparisons * leastProbability(seeds) > 1 - level) seeds += 1;
  return seeds;
}
