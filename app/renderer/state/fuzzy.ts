/** Finding by a few letters: every letter of the query in order, better at the start of words and in a row. */

export interface Match {
  /** Higher is better. */
  readonly score: number;
  /** Indices into the text of the letters that matched, ascending. */
  readonly positions: readonly number[];
}

const START_OF_WORD = 8;
const IN_A_ROW = 5;
const GAP = 0.2;

/**
 * The best way to find the query's letters in the text, by dynamic programming over both.
 * @returns undefined where a letter is missing; spaces of the query are ignored
 */
export function fuzzyMatch(query: string, text: string): Match | undefined {
  const letters = query.toLowerCase().replaceAll(/\s+/g, '').split('');
  const lower = text.toLowerCase();
  if (letters.length === 0) return { score: 0, positions: [] };
  const startsWord = (at: number): boolean => at === 0 || /[\s\-–.:/(]/.test(text[at - 1]);
  // best[at]: of the letters so far, the last of them at `at`.
  let best: (Match | undefined)[] = [];
  letters.forEach((letter, index) => {
    const next: (Match | undefined)[] = [];
    let reached: Match | undefined;
    let reachedAt = -1;
    for (let at = 0; at < lower.length; at += 1) {
      const before = at > 0 ? best[at - 1] : undefined;
      if (before && (!reached || before.score >= reached.score - GAP * (at - 1 - reachedAt))) {
        reached = before;
        reachedAt = at - 1;
      }
      if (lower[at] !== letter) continue;
      const own = 1 + (startsWord(at) ? START_OF_WORD : 0);
      if (index === 0) {
        next[at] = { score: own - GAP * at, positions: [at] };
        continue;
      }
      const jumped = reached && { from: reached, score: reached.score - GAP * (at - 1 - reachedAt) };
      const inRow = before && { from: before, score: before.score + IN_A_ROW };
      const chosen = inRow && (!jumped || inRow.score >= jumped.score) ? inRow : jumped;
      if (chosen) next[at] = { score: chosen.score + own, positions: [...chosen.from.positions, at] };
    }
    best = next;
  });
  return best.reduce((found, match) => (match && (!found || match.score > found.score) ? match : found), undefined);
}

/** @returns entries that match, best first; all of them in their order where the query is empty */
export function fuzzyFilter<Entry>(
  query: string,
  entries: readonly Entry[],
  textOf: (entry: Entry) => { readonly title: string; readonly more?: string },
): { readonly entry: Entry; readonly positions: readonly number[] }[] {
  return entries
    .flatMap((entry, order) => {
      const { title, more = '' } = textOf(entry);
      const inTitle = fuzzyMatch(query, title);
      // Further words count, but less than what is read.
      const inMore = inTitle ? undefined : fuzzyMatch(query, more);
      const match = inTitle ?? (inMore && { score: inMore.score / 4, positions: [] });
      return match ? [{ entry, positions: match.positions, score: match.score, order }] : [];
    })
    .sort((a, b) => b.score - a.score || a.order - b.order);
}
