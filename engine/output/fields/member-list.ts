/** Members of an ensemble as a user writes them: 0,4-7. */

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
export function formatMemberList(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, end]) => (first === end ? `${first}` : `${first}-${end}`)).join(',');
}
