/** Tables of a figure, as text that every spreadsheet reads (RFC 4180), and as rows for people. */
import { csvFormatRow } from 'd3-dsv';
import { toSpreadsheetText } from '../../engine/index.ts';

type Cell = string | number | null;

/** The numbers of a figure: what its CSV holds and what its table shows. */
export interface DataTable {
  /** Column heads, with units: `RMSE of h (m)`. */
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

function textOf(cell: Cell): string {
  if (typeof cell === 'number') return Number.isFinite(cell) ? String(cell) : '';
  return toSpreadsheetText(cell ?? '');
}

/** @returns lines that end in CR LF, numbers to full precision, nothing if there is no number */
export function formatCsv({ columns, rows }: DataTable): string {
  return [columns, ...rows].map((row) => `${csvFormatRow(row.map(textOf))}\r\n`).join('');
}
