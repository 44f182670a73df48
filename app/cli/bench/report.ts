/** What `shoal bench` has found: as a document, and as tables for people at a terminal. */
import Table from 'cli-table3';
import { benchmarkCeilings } from '../../../engine/index.ts';
import type { BenchBackend, BenchDocument, BenchmarkRow, PublishedComparison } from '../../../engine/index.ts';
import type { Machine } from '../installation.ts';
import { ABSENT, columnsFor, digits, NAME_COLUMNS, RESULT_COLUMNS, times } from './columns.ts';
import type { Column } from './columns.ts';

/** A benchmark that could not be run. */
export interface BenchFailure {
  readonly name: string;
  readonly backend: BenchBackend['name'];
  readonly reason: string;
}

export interface BenchFindings {
  readonly machine: Machine & { readonly versions: Readonly<Record<string, string>> };
  /** In the order in which they were asked for. */
  readonly backends: readonly BenchBackend[];
  /** By benchmark, and then by backend. */
  readonly rows: readonly BenchmarkRow[];
  readonly failures: readonly BenchFailure[];
}

/** The document of `--json`; `ceilings` are those of the first backend. */
export function benchDocument({ machine, backends, rows, failures }: BenchFindings): BenchDocument {
  const described = backends.map(({ name, adapter, precision, threads, ceilings }) => {
    const { clock, tickMicroseconds } = ceilings;
    return { name, adapter, precision, threads, ceilings: { ...benchmarkCeilings(ceilings), clock, tickMicroseconds } };
  });
  return { machine, ceilings: benchmarkCeilings(backends[0].ceilings), backends: described, rows, failures };
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
  const table = new Table({
    head: columns.map(({ title }) => title),
    colAligns: columns.map(({ align }) => align),
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
  for (const suite of new Set(rows.map((row) => row.suite))) {
    table.push([`${suite}:`, ...columns.slice(1).map(() => '')]);
    for (const row of rows) {
      if (row.suite !== suite) continue;
      const [name, ...others] = columns.map(({ cell }) => cell(row) ?? ABSENT);
      table.push([`  ${name}`, ...others]);
    }
  }
  return table.toString();
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
export function describeBackend({ name, adapter, precision, threads, ceilings }: BenchBackend): string {
  const { copyGBs, fmaGFLOPs, dispatchMicroseconds } = benchmarkCeilings(ceilings);
  const onThreads = name === 'wasm' && threads !== null ? `, ${threads} ${threads === 1 ? 'thread' : 'threads'}` : '';
  return (
    `${name} (${adapter}, ${precision}${onThreads}): copy ${digits(copyGBs)} GB/s, ` +
    `multiply-add ${digits(fmaGFLOPs)} GFLOP/s, empty run ${digits(dispatchMicroseconds)} µs, by the ${ceilings.clock} clock`
  );
}

/** @returns the report, one string a line or table */
export function formatFindings({ backends, rows, failures }: BenchFindings): string[] {
  return [
    ...backends.map(describeBackend),
    ...(rows.length > 0 ? [tableOf(rows)] : []),
    ...section(
      'published, and how many times better here:',
      rows.flatMap((row) =>
        [row.published, ...row.otherPublished].flatMap((published) => (published ? [comparison(row, published)] : [])),
      ),
    ),
    ...section(
      'notes:',
      rows.flatMap(({ name, backend, notes }) => notes.map((note) => `  ${name}, ${backend}: ${note}`)),
    ),
    ...section(
      'not run:',
      failures.map(({ name, backend, reason }) => `  ${name}, ${backend}: ${reason}`),
    ),
  ];
}
