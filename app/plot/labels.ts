/**
 * Labels at the ends of lines: broken into short lines, moved apart by as little as it takes. Where they do not fit, there are
 * none, and the legend names the lines: a label is never cut, and none overlaps another.
 */

/**
 * Breaks a text into lines of a width, at its spaces; a number stays with its unit, which a no-break space joins.
 *
 * @param measure width of a text, in the unit of `width`
 * @returns its lines; a word that is wider than a line has one of its own
 */
export function wrapText(text: string, width: number, measure: (text: string) => number): string[] {
  const lines: string[] = [];
  for (const word of text.split(/[ \n\t]+/).filter(Boolean)) {
    const last = lines.at(-1);
    const joined = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && measure(joined) <= width) lines[lines.length - 1] = joined;
    else lines.push(word);
  }
  return lines;
}

/** Longer lines of a label are broken at a space. */
const MOST_LETTERS = 14;
/** Labels of more lines are none. */
const MOST_LINES = 3;

export interface LabelPlace {
  readonly key: string;
  /** Where its line ends, pixels from the top. */
  readonly wanted: number;
  /** Lines of its text; 1 if omitted. */
  readonly lines?: number;
}

/** @returns a label in lines that fit beside the plot, long words broken at hyphens; undefined where one or the whole is too long */
export function breakLabel(label: string): readonly string[] | undefined {
  const words = label
    .split(/[ \u00a0]/)
    .flatMap((word) => (word.length > MOST_LETTERS ? word.split(/(?<=-)(?=.)/) : [word]));
  const lines = wrapText(words.join(' '), MOST_LETTERS, ({ length }) => length);
  const fits = lines.length <= MOST_LINES && lines.every(({ length }) => length <= MOST_LETTERS);
  return fits ? lines : undefined;
}

/**
 * Moves labels apart by as little as it takes, in the order of their lines' ends.
 * @param height of a line of text, pixels
 * @param top and bottom that labels keep within with the middles of their lines
 * @returns the middle of each label by key, pixels from the top; undefined if there are too many
 */
export function placeLabels(
  labels: readonly LabelPlace[],
  height: number,
  top: number,
  bottom: number,
): ReadonlyMap<string, number> | undefined {
  const sorted = [...labels].sort((a, b) => a.wanted - b.wanted);
  /** Half of what a label takes, from the middle of its first line to its own middle, and the room about a line. */
  const half = sorted.map(({ lines = 1 }) => (lines * height) / 2);
  const needed = 2 * half.reduce((sum, each) => sum + each, 0) - height;
  if (needed > bottom - top) return undefined;
  const [first, last] = [top - height / 2, bottom + height / 2];
  const places: number[] = [];
  sorted.forEach(({ wanted }, index) => {
    const least = index === 0 ? first + half[0] : places[index - 1] + half[index - 1] + half[index];
    places.push(Math.max(least, wanted));
  });
  let limit = last;
  for (let index = places.length - 1; index >= 0; index--) {
    places[index] = Math.min(places[index], limit - half[index]);
    limit = places[index] - half[index];
  }
  return new Map(sorted.map(({ key }, index) => [key, places[index]]));
}
