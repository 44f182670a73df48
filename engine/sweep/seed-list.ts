/** Lists of whole numbers as people write them: members of an ensemble, and seeds. */

/** How many seeds a sweep may have. */
export const MOST_SEEDS = 1000;

/** No ensemble has as many. */
const MOST_DIGITS = 6;
const MEMBERS = new RegExp(`^(\\d{1,${MOST_DIGITS}})(?:-(\\d{1,${MOST_DIGITS}}))?$`);

/** @returns the members of a list, ascending, each once; undefined for what is none */
export function parseMemberList(text: string): readonly number[] | undefined {
  const members = new Set<number>();
  for (const part of text.split(',')) {
    const [, begin, end = begin] = MEMBERS.exec(part.trim()) ?? [];
    if (begin === undefined || Number(end) < Number(begin)) return undefined;
    for (let member = Number(begin); member <= Number(end); member++) members.add(member);
  }
  return [...members].sort((a, b) => a - b);
}

/** @returns ascending numbers as they are given: 0,4-7 */
export function formatRanges(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, end]) => (first === end ? `${first}` : `${first}-${end}`)).join(',');
}

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
