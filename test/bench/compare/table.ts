/** The tables of Shoal beside native C and Python: for the terminal, and in Markdown. */
import Table from 'cli-table3';
import { digits, times } from '../../../app/cli/bench/report.ts';
import type { BackendName } from '../../../engine/index.ts';

/** Who computed something, and how long it took. */
export interface ComparedRow {
  readonly benchmark: string;
  readonly who: string;
  /** One of Shoal's backends, to which others are related, or another program. */
  readonly by: BackendName | 'native' | 'python';
  /** How many threads of the processor; null if that is not what distinguishes the row. */
  readonly threads: number | null;
  readonly milliseconds: number;
  readonly median: number;
  /** max |a − b| / max(1, max |b|) from what the reference backend computes in float64. */
  readonly difference: number | null;
  /** Remarks about it. */
  readonly note: string | null;
}

/** What float32 may differ from float64 in any of these; a form that computes something else on purpose names its own. */
export const TOLERANCE = 2e-4;

function isShoals({ by }: ComparedRow): boolean {
  return by !== 'native' && by !== 'python';
}

/** How many times as long as a row of Shoal's another takes. */
function ratios(row: ComparedRow, rows: readonly ComparedRow[], shoals: readonly string[]): string[] {
  return shoals.map((who) => {
    const shoal = rows.find((other) => other.benchmark === row.benchmark && other.who === who);
    return shoal && !isShoals(row) ? times(row.milliseconds / shoal.milliseconds) : '';
  });
}

interface Cells {
  readonly head: readonly string[];
  readonly lines: readonly (readonly string[])[];
}

function cellsOf(rows: readonly ComparedRow[]): Cells {
  const shoals = [...new Set(rows.filter(isShoals).map(({ who }) => who))];
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

/** Milliseconds of a kernel by whom, and how far `wasm` is from C and from as many times as quick with all threads. */
function distanceCells(rows: readonly ComparedRow[]): Cells {
  const counts = [...new Set(rows.filter(({ by }) => by === 'native').map(({ threads }) => threads))];
  const most = counts.at(-1);
  const compared = [...new Set(rows.filter(({ by }) => by === 'native').map(({ benchmark }) => benchmark))];
  const hasPython = rows.some(({ by }) => by === 'python');
  const columns = (['native', 'wasm'] as const).flatMap((by) => counts.map((threads) => ({ by, threads })));
  return {
    head: [
      'kernel, ms',
      ...columns.map(({ by, threads }) => `${by === 'native' ? 'C' : by}, ${threads}`),
      ...(hasPython ? ['Python'] : []),
      'wasm over C',
      `wasm, 1 over ${most}`,
    ],
    lines: compared.map((benchmark) => {
      const of = rows.filter((row) => row.benchmark === benchmark);
      const found = (by: ComparedRow['by'], threads: number | null | undefined): number =>
        of.find((row) => row.by === by && row.threads === threads)?.milliseconds ?? NaN;
      // What a note says something about does not compute quite the same.
      const python = of
        .filter(({ by, note }) => by === 'python' && note === null)
        .map(({ milliseconds }) => milliseconds);
      return [
        benchmark,
        ...columns.map(({ by, threads }) => digits(found(by, threads))),
        ...(hasPython ? [python.length > 0 ? digits(Math.min(...python)) : '–'] : []),
        times(found('wasm', 1) / found('native', 1)),
        times(found('wasm', 1) / found('wasm', most)),
      ];
    }),
  };
}

function notesOf(rows: readonly ComparedRow[]): string[] {
  return rows.flatMap(({ benchmark, who, note }) => (note === null ? [] : [`${benchmark}, ${who}: ${note}`]));
}

function boxed({ head, lines }: Cells, texts: number): string {
  const table = new Table({
    head: [...head],
    colAligns: head.map((_, column) => (column < texts ? 'left' : 'right')),
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
  for (const cells of lines) table.push([...cells]);
  return table.toString();
}

/** @returns how far `wasm` is from C, if that was timed; all rows; and a line for each note */
export function formatComparison(rows: readonly ComparedRow[]): readonly string[] {
  const notes = notesOf(rows);
  return [
    ...(rows.some(({ by }) => by === 'native') ? [boxed(distanceCells(rows), 1), ''] : []),
    boxed(cellsOf(rows), 2),
    ...(notes.length > 0 ? ['', 'notes:', ...notes.map((note) => `  ${note}`)] : []),
  ];
}

function line(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
}

function marked({ head, lines }: Cells, texts: number): string[] {
  return [line(head), line(head.map((_, column) => (column < texts ? '---' : '---:'))), ...lines.map(line), ''];
}

/** @param about a line about the machine and the versions */
export function comparisonMarkdown(rows: readonly ComparedRow[], about: string): string {
  return [
    about,
    '',
    ...(rows.some(({ by }) => by === 'native') ? marked(distanceCells(rows), 1) : []),
    ...marked(cellsOf(rows), 2),
    ...notesOf(rows).map((note) => `- ${note}`),
    '',
  ].join('\n');
}
