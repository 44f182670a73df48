/** The table of Shoal beside Python: for the terminal, and in Markdown. */
import Table from 'cli-table3';
import { digits, times } from '../../../app/cli/bench/report.ts';

/** Who computed something, and how long it took. */
export interface ComparedRow {
  readonly benchmark: string;
  readonly who: string;
  /** Whether it is one of Shoal's backends, to which others are related. */
  readonly isShoal: boolean;
  readonly milliseconds: number;
  readonly median: number;
  /** max |a − b| / max(1, max |b|) from what the reference backend computes in float64. */
  readonly difference: number | null;
  /** Remarks about it. */
  readonly note: string | null;
}

/** What float32 may differ from float64 in any of these; a form that computes something else on purpose names its own. */
export const TOLERANCE = 2e-4;

/** How many times as long as a row of Shoal's another takes. */
function ratios(row: ComparedRow, rows: readonly ComparedRow[], shoals: readonly string[]): string[] {
  return shoals.map((who) => {
    const shoal = rows.find((other) => other.benchmark === row.benchmark && other.who === who);
    return shoal && !row.isShoal ? times(row.milliseconds / shoal.milliseconds) : '';
  });
}

interface Cells {
  readonly head: readonly string[];
  readonly lines: readonly (readonly string[])[];
}

function cellsOf(rows: readonly ComparedRow[]): Cells {
  const shoals = [...new Set(rows.filter(({ isShoal }) => isShoal).map(({ who }) => who))];
  return {
    head: ['benchmark', 'by', 'best, ms', 'median, ms', 'difference', ...shoals.map((who) => `over ${who}`)],
    lines: rows.map((row, index) => [
      row.benchmark === rows[index - 1]?.benchmark ? '' : row.benchmark,
      row.who,
      digits(row.milliseconds),
      digits(row.median),
      row.difference === null ? '–' : row.difference.toExponential(1),
      ...ratios(row, rows, shoals),
    ]),
  };
}

function notesOf(rows: readonly ComparedRow[]): string[] {
  return rows.flatMap(({ benchmark, who, note }) => (note === null ? [] : [`${benchmark}, ${who}: ${note}`]));
}

/** @returns the table, and a line for each note */
export function formatComparison(rows: readonly ComparedRow[]): readonly string[] {
  const { head, lines } = cellsOf(rows);
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => (column < 2 ? 'left' : 'right')),
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
  for (const line of lines) table.push([...line]);
  const notes = notesOf(rows);
  return [table.toString(), ...(notes.length > 0 ? ['', 'notes:', ...notes.map((note) => `  ${note}`)] : [])];
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

/** @param about a line about the machine and the versions */
export function comparisonMarkdown(rows: readonly ComparedRow[], about: string): string {
  const { head, lines } = cellsOf(rows);
  return [
    about,
    '',
    line(head),
    line(head.map((_, column) => (column < 2 ? '---' : '---:'))),
    ...lines.map(line),
    '',
    ...notesOf(rows).map((note) => `- ${note}`),
    '',
  ].join('\n');
}
