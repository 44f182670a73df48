/**
 * How what a user gave is shown in a message: on one line, cut where it is long, and with every character visible, since a
 * terminal obeys escape codes and a line that runs from right to left reads as another one.
 */

/** How a formula begins, or one that has its apostrophe already; the full-width signs count in some spreadsheets. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

/**
 * Text in a CSV file that a spreadsheet will open: what begins like a formula would be run as one (`=HYPERLINK(…)`), so it
 * is written with an apostrophe before it, which spreadsheets take for "text" and which reading takes away again.
 *
 * @returns the text as it is written into a cell
 */
export function toSpreadsheetText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The inverse of `toSpreadsheetText`. */
export function fromSpreadsheetText(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}

/** Characters of a found value that a message shows. */
export const LONGEST_SHOWN = 200;
/** Longest line, which may have several. */
const LONGEST_LINE = 4000;

/** Controls, format characters (marks of direction among them), line ends, and halves of characters. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu;

/** @returns text of one line, of any length, with every character visible */
export function visible(text: string): string {
  return text.replaceAll(UNSEEN, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}

/** Omits the middle: both ends identify a name. */
function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const tail = Math.floor(most / 3);
  return visible(`${text.slice(0, most - tail - 1)}…${text.slice(text.length - tail)}`).slice(0, most);
}

/** @returns text without quotes, as for a file's name in a message; shown twice it is the same */
export function shown(text: string): string {
  return cut(visible(text), LONGEST_SHOWN);
}

/** @returns text in double quotes, as JSON writes it */
export function quote(text: string): string {
  return `"${cut(visible(JSON.stringify(text).slice(1, -1)), LONGEST_SHOWN)}"`;
}

/** @returns a whole message with nothing left in it that a terminal would obey, whoever made it */
export function legibleLine(text: string): string {
  return cut(visible(text.trim().replaceAll(/\s*[\r\n]\s*/g, ' ')), LONGEST_LINE);
}

/** @returns a title as written within a sentence: `skill against the free run`, but `RMSE of the analysis` */
export function withinSentence(title: string): string {
  return title.replace(/^\p{Lu}(?!\p{Lu})/u, (letter) => letter.toLowerCase());
}
