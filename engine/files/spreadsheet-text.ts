/**
 * Text in a CSV file that a spreadsheet will open: what begins like a formula would be run as one (`=HYPERLINK(…)`), so it
 * is written with an apostrophe before it, which spreadsheets take for "text" and which reading takes away again.
 */

/** How a formula begins, or one that has its apostrophe already; the full-width signs count in some spreadsheets. */
const FORMULA = /^'*[=+\-@\t\r＝＋－＠]/;

/** @returns the text as it is written into a cell */
export function toSpreadsheetText(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** The inverse of `toSpreadsheetText`. */
export function fromSpreadsheetText(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
