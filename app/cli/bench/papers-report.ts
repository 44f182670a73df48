/** The papers’ tables in Markdown: each published figure beside what several machines take. */
import { benchmarksOf, benchmarksOn, PAPERS, paperTables } from '../../../engine/index.ts';
import type { BenchDocument, BenchmarkRow, Paper, PaperRow, PublishedComparison } from '../../../engine/index.ts';
import { digits, line, times } from './report.ts';

const ABSENT = '–';

/** What one backend of one machine has measured. */
interface Column {
  /** `A` */
  readonly letter: string;
  readonly backend: BenchmarkRow['backend'];
  readonly words: string;
  readonly rows: readonly BenchmarkRow[];
}

/** @returns a column for each backend that was asked for; yardsticks of one thread are in the ratios */
function columnsOf(documents: readonly BenchDocument[]): readonly Column[] {
  return documents
    .flatMap(({ machine, backends, rows, asked }) =>
      backends
        .filter(({ name }) => asked?.backends.includes(name) ?? true)
        .filter((backend, at, all) => all.findIndex(({ name }) => name === backend.name) === at)
        .map(({ name, adapter, threads }) => {
          const onThreads = name === 'wasm' && threads !== null ? `, ${threads} threads` : '';
          const versions = Object.entries(machine.versions).map(([of, version]) => `${of} ${version}`);
          return {
            backend: name,
            words: `${name}${onThreads}, ${adapter}; ${machine.processor}, ${machine.cores} cores; ${versions.join(', ')}`,
            rows: rows.filter((row) => row.backend === name && row.threads === threads),
          };
        }),
    )
    .map((column, at) => ({ ...column, letter: String.fromCodePoint(65 + at) }));
}

function figure({ value, unit, hardware, includes }: PublishedComparison): string {
  return `${digits(value)} ${unit}, ${hardware}${includes === null ? '' : `; ${includes}`}`;
}

function ratios(row: PaperRow | undefined): string {
  if (!row || row.published.length === 0) return ABSENT;
  return row.published.map(({ ratio }) => (ratio === null ? ABSENT : times(ratio))).join('<br>');
}

/** @param rows of one table, of each column */
function tableLines(columns: readonly Column[], rows: readonly (readonly PaperRow[])[]): readonly string[] {
  const named = new Map(rows.flat().map((row) => [row.name, row]));
  const letters = [...new Set([...named.values()].flatMap(({ parameters }) => Object.keys(parameters)))];
  const errors = rows.flat().some(({ row }) => typeof row?.errorAgainstExact === 'number');
  const head = [
    ...letters,
    ...columns.map(({ letter }) => `ms on ${letter}`),
    ...(errors ? ['to the exact'] : []),
    'published',
    ...columns.map(({ letter }) => `${letter} better by`),
  ];
  return [
    line(head),
    line(head.map((title) => (title === 'published' ? '---' : '---:'))),
    ...[...named].map(([name, any]) => {
      const found = rows.map((table) => table.find((row) => row.name === name));
      const exact = found.map((one) => one?.row?.errorAgainstExact).find((error) => typeof error === 'number');
      return line([
        ...letters.map((letter) => String(any.parameters[letter] ?? ABSENT)),
        ...found.map((one) => digits(one?.row?.milliseconds ?? null)),
        ...(errors ? [exact?.toExponential(1) ?? ABSENT] : []),
        any.published.map(figure).join('<br>') || ABSENT,
        ...found.map(ratios),
      ]);
    }),
  ];
}

function paperLines(
  { subject, authors, publication, key, summary, suite, quoted = [] }: Paper,
  columns: readonly Column[],
): string[] {
  const benchmarks = benchmarksOf([suite], 'papers');
  const tables = columns.map(({ backend, rows }) => paperTables(benchmarksOn(benchmarks, backend), rows));
  const titles = new Set(tables.flatMap((table) => [...table.keys()]));
  return [
    `## ${subject}`,
    '',
    `${authors.join(', ')}${publication === '' ? '' : `. ${publication}`} [${key}]. ${summary}`,
    ...[...titles].flatMap((title) => [
      '',
      `### ${title}`,
      '',
      ...tableLines(
        columns,
        tables.map((table) => table.get(title) ?? []),
      ),
    ]),
    ...quoted.flatMap(({ title, columns: names, rows }) => [
      '',
      `### ${title}, as published`,
      '',
      line(['', ...names]),
      line(['---', ...names.map(() => '---:')]),
      ...rows.map((row) => line(row.map(String))),
    ]),
    '',
  ];
}

/**
 * @param documents of `shoal bench --papers --json`, one a machine
 * @param command that writes this
 */
export function papersMarkdown(documents: readonly BenchDocument[], command: string): string {
  const columns = columnsOf(documents);
  return [
    '# The papers’ tables',
    '',
    `Written by \`${command}\`, from results of \`shoal bench --papers --json\` on:`,
    '',
    ...columns.map(({ letter, words }) => `- ${letter}: ${words}`),
    '',
    'Times are the best of one run, milliseconds. Published figures come from other hardware: they are for orientation. A figure is followed by its hardware and what it includes; if ours is better by more than 1 ×, it is quicker. There is no ratio to a slip of a paper, nor to what a step saved over the one before, whose time is beside it. A table’s variants of kernels give the same bits.',
    '',
    ...PAPERS.flatMap((paper) => paperLines(paper, columns)),
  ].join('\n');
}
