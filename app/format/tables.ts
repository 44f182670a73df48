/** Tables as text that every spreadsheet reads (RFC 4180), and the impacts of all observations of a cycle as a table. */
import { csvFormatRow } from 'd3-dsv';
import { toSpreadsheetText, type ObservationImpact } from '../../engine/index.ts';

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

/**
 * @param impacts of the methods, by what they are called: all of one cycle
 * @param networks what the networks are called, by the index that observations have
 */
export function impactTable(
  impacts: readonly { readonly title: string; readonly impact: ObservationImpact }[],
  networks: readonly string[],
): DataTable {
  const [first] = impacts;
  const { x, y, variable, network } = first.impact.observations;
  const { unit } = first.impact;
  return {
    columns: [
      'observation',
      'network',
      'variable',
      'x (cells)',
      'y (cells)',
      ...impacts.flatMap(({ title }) => [`${title}: innovation`, `${title}: impact${unit === '' ? '' : ` (${unit})`}`]),
    ],
    rows: variable.map((name, j) => [
      j,
      networks[network[j]] ?? null,
      name,
      x[j],
      y[j],
      ...impacts.flatMap(({ impact }) =>
        impact.observations.isUsed[j] ? [impact.observations.innovation[j], impact.impacts[j]] : [null, null],
      ),
    ]),
  };
}
