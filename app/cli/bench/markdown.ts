/** What `shoal bench` has found, as Markdown: a table for each published one, for a README or an issue. */
import type { BenchmarkRow, PublishedComparison } from '../../../engine/index.ts';
import { ABSENT, columnsFor, digits, NAME_COLUMNS, RESULT_COLUMNS, times } from './columns.ts';
import type { Column } from './columns.ts';
import { describeBackend } from './report.ts';
import type { BenchFindings } from './report.ts';

/** The value with its hardware and what it includes, and how many times better ours is. */
function figure({ value, unit, hardware, includes, ratio }: PublishedComparison): string {
  const about = includes === null ? hardware : `${hardware}; ${includes}`;
  return `${digits(value)} ${unit} (${about})${ratio === null ? '' : `: ${times(ratio)}`}`;
}

const PUBLISHED_COLUMNS: readonly Column[] = [
  {
    title: 'published (hardware; includes): better by',
    align: 'left',
    optional: true,
    cell: ({ published, otherPublished }) =>
      published ? [published, ...otherPublished].map(figure).join('<br>') : null,
  },
];

function parameterColumns(rows: readonly BenchmarkRow[]): readonly Column[] {
  const letters = new Set(rows.flatMap(({ parameters }) => Object.keys(parameters)));
  return [...letters].map((letter) => ({
    title: letter,
    align: 'right',
    cell: ({ parameters }) => (parameters[letter] === undefined ? null : String(parameters[letter])),
  }));
}

/** Text in a cell: a bar would end it. */
function escaped(text: string): string {
  return text.replaceAll('|', '\\|');
}

function line(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(' | ')} |`;
}

function tableOf(rows: readonly BenchmarkRow[]): string[] {
  const [name, backend] = NAME_COLUMNS;
  const columns = columnsFor([name, ...parameterColumns(rows), backend, ...RESULT_COLUMNS, ...PUBLISHED_COLUMNS], rows);
  return [
    line(columns.map(({ title }) => title)),
    line(columns.map(({ align }) => (align === 'right' ? '---:' : '---'))),
    ...rows.map((row) => line(columns.map(({ cell }) => cell(row) ?? ABSENT))),
  ];
}

function list(title: string, items: readonly string[]): string[] {
  return items.length > 0 ? ['', `${title}:`, '', ...items.map((item) => `- ${item}`)] : [];
}

/** @param command that these findings come from */
export function markdownOf({ machine, backends, rows, failures }: BenchFindings, command: string): string {
  const { system, processor, cores, memoryBytes, versions } = machine;
  const versionList = Object.entries(versions).map(([name, version]) => `${name} ${version}`);
  const tables = new Set(rows.map((row) => row.table ?? row.suite));
  return [
    '# Benchmarks',
    '',
    `By \`${command}\` on ${processor}, ${cores} cores, ${digits(memoryBytes / 2 ** 30)} GiB, ${system}; ${versionList.join(', ')}. ` +
      'Best and median of at least seven runs where the notes do not say otherwise. Published figures come from other hardware: they are for orientation.',
    '',
    ...backends.map((backend) => `- ${describeBackend(backend)}`),
    ...[...tables].flatMap((table) => [
      '',
      `## ${table}`,
      '',
      ...tableOf(rows.filter((row) => (row.table ?? row.suite) === table)),
    ]),
    ...list(
      'Sources',
      [
        ...new Set(rows.flatMap((row) => [row.published, ...row.otherPublished].flatMap((one) => one?.source ?? []))),
      ].sort(),
    ),
    ...list(
      'Notes',
      rows.flatMap(({ name, backend, notes }) => notes.map((note) => `${name}, ${backend}: ${note}`)),
    ),
    ...list(
      'Not run',
      failures.map(({ name, backend, reason }) => `${name}, ${backend}: ${reason}`),
    ),
    '',
  ].join('\n');
}
