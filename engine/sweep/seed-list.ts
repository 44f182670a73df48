/** Seeds as they are typed: how many (`10`), a range (`3-12`), or a list of both (`1,5,20-24`). */
import { formatMemberList } from '../output/fields/member-list.ts';
import { MOST_SEEDS } from './definition.ts';

/** One seed is a run, and no comparison. */
const FEWEST_SEEDS = 2;
const PART = /^(\d{1,16})(?:-(\d{1,16}))?$/;

export const SEEDS_HELP = 'a count (10: seeds 1 to 10), a range (3-12) or a list (1,5,9)';

function isSeed(seed: number): boolean {
  return Number.isSafeInteger(seed) && seed >= 0;
}

/** @returns every seed of a list, or what is wrong with it */
function seedsOfList(text: string): ReadonlySet<number> | string {
  const seeds = new Set<number>();
  for (const part of text.split(',')) {
    const [, begin, end = begin] = PART.exec(part.trim()) ?? [];
    if (begin === undefined) return `found ${JSON.stringify(text)}, allowed: ${SEEDS_HELP}`;
    const [first, last] = [Number(begin), Number(end)];
    if (!isSeed(last)) return `found ${end}, the largest seed is ${Number.MAX_SAFE_INTEGER}`;
    if (last < first) return `found ${begin}-${end}, a range is from the smaller to the larger seed`;
    if (last - first >= MOST_SEEDS) return `found ${last - first + 1} seeds, allowed: at most ${MOST_SEEDS}`;
    for (let seed = first; seed <= last; seed++) seeds.add(seed);
  }
  return seeds;
}

/** @returns the seeds, ascending and each once; or, as a text, what is wrong and what is allowed */
export function parseSeeds(text: string): readonly number[] | string {
  const isCount = /^\d{1,16}$/.test(text.trim());
  const count = Number(text);
  // The message of a count that is too large is that of a range.
  const seeds = isCount && count > 0 ? seedsOfList(`1-${count}`) : isCount ? new Set<number>() : seedsOfList(text);
  if (typeof seeds === 'string') return seeds;
  if (seeds.size > MOST_SEEDS) return `found ${seeds.size} seeds, allowed: at most ${MOST_SEEDS}`;
  if (seeds.size < FEWEST_SEEDS)
    return `found ${seeds.size} ${seeds.size === 1 ? 'seed' : 'seeds'}, two or more are needed`;
  return [...seeds].sort((a, b) => a - b);
}

/** @returns ascending seeds as they are given: `1-10`, `1,5,9` */
export function formatSeeds(seeds: readonly number[]): string {
  return formatMemberList(seeds);
}
