/** What `shoal bench` has found: as a document, and as tables for people at a terminal. */
import { formatTable } from '../table.ts';
import { publishedOf } from '../../../engine/index.ts';
import type {
  BenchBackend,
  BenchDocument,
  BenchmarkRow,
  BenchRequest,
  PublishedComparison,
} from '../../../engine/index.ts';
import type { Machine } from '../installation.ts';

/** The columns in which rows of benchmarks are shown, in the terminal and in Markdown. */
interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Null where the row has nothing to say. */
  readonly cell: (row: BenchmarkRow) => string | null;
  /** Omitted of a table in which no row has it. */
  readonly optional?: boolean;
}

const ABSENT = '–';

/** Three significant digits, without an exponent where it is readable without one. */
export function digits(value: number | null): string {
  if (value === null) return ABSENT;
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return value.toExponential(2);
  return size >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

export function times(ratio: number): string {
  return `${digits(Number(ratio.toPrecision(3)))} ×`;
}

function error(value: number | null): string | null {
  return value === null ? null : value.toExponential(1);
}

function overOneThread({ overOneThread: over }: BenchmarkRow): string | null {
  const parts = [
    over?.reference ? `${times(over.reference)} reference` : '',
    over?.wasm ? `${times(over.wasm)} wasm` : '',
  ].filter((part) => part !== '');
  return parts.length > 0 ? parts.join(', ') : null;
}

const number = (value: number | null): string | null => (value === null ? null : digits(value));

const NAME_COLUMNS: readonly Column[] = [
  { title: 'benchmark', align: 'left', cell: ({ name }) => name },
  {
    title: 'backend',
    align: 'left',
    cell: ({ backend, threads }) => (backend === 'wasm' && threads !== null ? `wasm, ${threads}` : backend),
  },
];

const RESULT_COLUMNS: readonly Column[] = [
  { title: 'best, ms', align: 'right', cell: ({ milliseconds }) => digits(milliseconds) },
  { title: 'median, ms', align: 'right', cell: ({ median }) => digits(median) },
  { title: 'clock', align: 'left', cell: ({ clock }) => clock },
  { title: 'GB/s', align: 'right', cell: ({ GBs }) => number(GBs) },
  { title: 'GFLOP/s', align: 'right', cell: ({ GFLOPs }) => number(GFLOPs) },
  {
    title: 'of ceiling',
    align: 'right',
    cell: ({ fractionOfCeiling: share }) => (share === null ? null : `${digits(100 * share)} %`),
  },
  { title: 'error', align: 'right', cell: ({ errorAgainstReference }) => error(errorAgainstReference) },
  {
    title: 'to the exact',
    align: 'right',
    cell: ({ errorAgainstExact }) => error(errorAgainstExact),
    optional: true,
  },
  {
    title: 'ns a cell',
    align: 'right',
    cell: ({ nanosecondsPerCell }) => number(nanosecondsPerCell),
    optional: true,
  },
  { title: 'of 256²', align: 'right', cell: ({ growth }) => number(growth), optional: true },
  {
    title: 'steps forward',
    align: 'right',
    cell: ({ overStepForward }) => number(overStepForward),
    optional: true,
  },
  { title: 'over one thread of', align: 'right', cell: overOneThread, optional: true },
];

/** @returns the columns without those that are optional and empty in all these rows */
function columnsFor(columns: readonly Column[], rows: readonly BenchmarkRow[]): readonly Column[] {
  return columns.filter(({ optional, cell }) => !optional || rows.some((row) => cell(row) !== null));
}

/** A benchmark that could not be run. */
export interface BenchFailure {
  readonly name: string;
  readonly backend: BenchBackend['name'];
  readonly reason: string;
}

export interface BenchFindings {
  readonly machine: Machine & { readonly versions: Readonly<Record<string, string>> };
  readonly asked: BenchRequest;
  /** In the order in which they were asked for. */
  readonly backends: BenchDocument['backends'];
  /** By benchmark, and then by backend. */
  readonly rows: readonly BenchmarkRow[];
  readonly failures: readonly BenchFailure[];
}

/** The document of `--json`; `ceilings` are those of the first backend. */
export function benchDocument({ machine, asked, backends, rows, failures }: BenchFindings): BenchDocument {
  const { copyGBs, fmaGFLOPs, dispatchMicroseconds } = backends[0].ceilings;
  return { machine, asked, ceilings: { copyGBs, fmaGFLOPs, dispatchMicroseconds }, backends, rows, failures };
}

/** Beside what was published first. */
const PUBLISHED_COLUMNS: readonly Column[] = [
  {
    title: 'published',
    align: 'right',
    cell: ({ published }) => (published ? `${digits(published.value)} ${published.unit}` : null),
  },
  {
    title: 'better by',
    align: 'right',
    cell: ({ published }) => (published?.ratio ? times(published.ratio) : null),
  },
];

/** One table, a line a row, each suite under its name. */
function tableOf(rows: readonly BenchmarkRow[]): string {
  const columns = columnsFor([...NAME_COLUMNS, ...RESULT_COLUMNS, ...PUBLISHED_COLUMNS], rows);
  const cellsOf = (row: BenchmarkRow): string[] => {
    const [name, ...others] = columns.map(({ cell }) => cell(row) ?? ABSENT);
    return [`  ${name}`, ...others];
  };
  const suites = [...new Set(rows.map(({ suite }) => suite))];
  return formatTable(
    columns.map(({ title }) => title),
    suites.flatMap((suite) => [
      [`${suite}:`, ...columns.slice(1).map(() => '')],
      ...rows.filter((row) => row.suite === suite).map(cellsOf),
    ]),
    { align: columns.map(({ align }) => align[0]).join(''), compact: true },
  );
}

function comparison({ name, backend }: BenchmarkRow, published: PublishedComparison): string {
  const { value, unit, hardware, source, includes, measured, ratio } = published;
  const ours = measured === null ? 'a ratio of its own, not comparable' : `here ${digits(measured)} ${unit}`;
  const about = includes === null ? source : `${source}; ${includes}`;
  return `  ${name}, ${backend}: ${digits(value)} ${unit} on ${hardware} (${about}); ${ours}${ratio === null ? '' : `, ${times(ratio)}`}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ['', title, ...lines] : [];
}

/** A backend with what its machine can do at most. */
function describeBackend({ name, adapter, precision, threads, ceilings }: BenchDocument['backends'][number]): string {
  const { copyGBs, fmaGFLOPs, dispatchMicroseconds } = ceilings;
  const onThreads = name === 'wasm' && threads !== null ? `, ${threads} ${threads === 1 ? 'thread' : 'threads'}` : '';
  return (
    `${name} (${adapter}, ${precision}${onThreads}): copy ${digits(copyGBs)} GB/s, ` +
    `multiply-add ${digits(fmaGFLOPs)} GFLOP/s, empty run ${digits(dispatchMicroseconds)} µs, by the ${ceilings.clock} clock`
  );
}

const NUMBER = /\d+(?:\.\d+)?(?:e[+-]\d+)?/g;

/** Rows that a note names one by one. */
const MOST_NAMED = 3;

/** Texts that differ in their numbers alone, as one: each number that differs as a range. */
function rangeOf(texts: readonly string[]): string {
  const found = texts.map((text) => text.match(NUMBER) ?? []);
  let at = -1;
  return texts[0].replaceAll(NUMBER, () => {
    at += 1;
    const sorted = found.map((numbers) => numbers[at]).toSorted((a, b) => Number(a) - Number(b));
    const [least, most] = [sorted[0], sorted[sorted.length - 1]];
    return least === most ? least : `${least} to ${most}`;
  });
}

/** Notes on each backend, those of the same kind together. */
function noteLines(rows: readonly BenchmarkRow[]): string[] {
  const kinds = new Map<string, { readonly names: string[]; readonly texts: string[]; readonly backend: string }>();
  for (const { name, backend, notes } of rows) {
    for (const text of notes) {
      const key = `${backend} ${text.replaceAll(NUMBER, '#')}`;
      const kind = kinds.get(key) ?? { names: [], texts: [], backend };
      kinds.set(key, kind);
      kind.names.push(name);
      kind.texts.push(text);
    }
  }
  return [...kinds.values()].map(({ names, texts, backend }) => {
    const named = names.length > MOST_NAMED ? `${names.length} rows, ${names[0]} the first` : names.join(', ');
    return `${named}, ${backend}: ${rangeOf(texts)}`;
  });
}

/** @returns the report, one string a line or table */
export function formatFindings({ backends, rows, failures }: BenchFindings): string[] {
  return [
    ...backends.map(describeBackend),
    ...(rows.length > 0 ? [tableOf(rows)] : []),
    ...section(
      'published, and how many times better here:',
      rows.flatMap((row) => publishedOf(row).map((published) => comparison(row, published))),
    ),
    ...section(
      'notes:',
      noteLines(rows).map((note) => `  ${note}`),
    ),
    ...section(
      'not run:',
      failures.map(({ name, backend, reason }) => `  ${name}, ${backend}: ${reason}`),
    ),
  ];
}

/** The value with its hardware and what it includes, and how many times better ours is. */
function figure({ value, unit, hardware, includes, ratio }: PublishedComparison): string {
  const about = includes === null ? hardware : `${hardware}; ${includes}`;
  return `${digits(value)} ${unit} (${about})${ratio === null ? '' : `: ${times(ratio)}`}`;
}

const MARKDOWN_COLUMNS: readonly Column[] = [
  {
    title: 'published (hardware; includes): better by',
    align: 'left',
    optional: true,
    cell: (row) => publishedOf(row).map(figure).join('<br>') || null,
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

export function line(cells: readonly string[]): string {
  return `| ${cells.map(escaped).join(' | ')} |`;
}

function markdownTable(rows: readonly BenchmarkRow[]): string[] {
  const [name, backend] = NAME_COLUMNS;
  const columns = columnsFor([name, ...parameterColumns(rows), backend, ...RESULT_COLUMNS, ...MARKDOWN_COLUMNS], rows);
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
      ...markdownTable(rows.filter((row) => (row.table ?? row.suite) === table)),
    ]),
    ...list('Sources', [...new Set(rows.flatMap((row) => publishedOf(row).map(({ source }) => source)))].sort()),
    ...list('Notes', noteLines(rows)),
    ...list(
      'Not run',
      failures.map(({ name, backend, reason }) => `${name}, ${backend}: ${reason}`),
    ),
    '',
  ].join('\n');
}
