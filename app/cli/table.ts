/** Tables for people at a terminal. */
import Table from 'cli-table3';

type Cell = string | number;

interface TableLook {
  /** A letter for each column, `l` or `r`; the last one holds for the columns after it as well. Default: all at the left. */
  readonly align?: string;
  /** Whether rows follow each other without rules between them. */
  readonly compact?: boolean;
  /** Letters that a column has, in which its words are wrapped; null for as many as they need. */
  readonly widths?: readonly (number | null)[];
}

/** @returns the lines of a table with rules */
export function formatTable(
  head: readonly string[],
  rows: readonly (readonly Cell[])[],
  { align = 'l', compact = false, widths }: TableLook = {},
): string {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => ((align[column] ?? align.at(-1)) === 'r' ? 'right' : 'left')),
    style: { head: [], border: [], compact },
    ...(widths && { colWidths: [...widths], wordWrap: true }),
  });
  table.push(...rows.map((row) => [...row]));
  return table.toString();
}
