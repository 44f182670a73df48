/** Finding by a few letters: in the title first, and by further words where the title has them not. */
import { go, snapshot } from 'fuzzysort';

export interface Found<Entry> {
  readonly entry: Entry;
  /** Indices into the title of the letters that were found. */
  readonly positions: readonly number[];
}

export interface EntryText {
  readonly title: string;
  /** Further words; they count less than what is read. */
  readonly more: string;
}

/** What is less alike is not shown: letters that happen to follow each other in a long text. */
const LEAST_SCORE = 0.25;
const MORE_COUNTS = 0.5;

/**
 * @param entries are made ready once, so that each letter typed costs little
 * @returns a search: entries that match, best first; all of them in their order where the query is empty
 */
export function fuzzyFinder<Entry>(
  entries: readonly Entry[],
  textOf: (entry: Entry) => EntryText,
): (query: string) => readonly Found<Entry>[] {
  const all = entries.map((entry) => ({ entry, ...textOf(entry) }));
  const targets = snapshot(all, { keys: ['title', 'more'] });
  return (query) => {
    if (query.trim() === '') return entries.map((entry) => ({ entry, positions: [] }));
    const found = go(query, targets, {
      limit: 0,
      threshold: LEAST_SCORE,
      // Of both together: a title that has one of two words alone is no better for it.
      scoreFn: ({ score, 0: title }) => score * (title.score > 0 ? 1 : MORE_COUNTS),
    });
    return found.map(({ obj: { entry }, 0: title }) => ({ entry, positions: title.score > 0 ? title.indexes : [] }));
  };
}
