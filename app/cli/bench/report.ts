/** What `shoal bench` has found: as a document, and as tables for people. */
import Table from 'cli-table3';
import { benchmarkCeilings } from '../../../engine/index.ts';
import type { BenchmarkCeilings, BenchmarkRow, PublishedComparison } from '../../../engine/index.ts';
import type { Machine } from '../machine.ts';
import type { BenchBackend } from './drive.ts';

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
export interface BenchDocument {
  readonly machine: BenchFindings['machine'];
  readonly ceilings: BenchmarkCeilings;
  readonly backends: readonly (Omit<BenchBackend, 'ceilings'> & {
    readonly ceilings: BenchmarkCeilings & { readonly clock: 'device' | 'wall'; readonly tickMicroseconds: number };
  })[];
  readonly rows: readonly BenchmarkRow[];
  readonly failures: readonly BenchFailure[];
}

export function benchDocument({ machine, backends, rows, failures }: BenchFindings): BenchDocument {
  const described = backends.map(({ name, adapter, precision, ceilings }) => {
    const { clock, tickMicroseconds } = ceilings;
    return { name, adapter, precision, ceilings: { ...benchmarkCeilings(ceilings), clock, tickMicroseconds } };
  });
  return { machine, ceilings: benchmarkCeilings(backends[0].ceilings), backends: described, rows, failures };
}

const ABSENT = '–';
/** The columns, and whether they hold numbers. */
const COLUMNS: readonly (readonly [title: string, align: 'left' | 'right'])[] = [
  ['benchmark', 'left'],
  ['backend', 'left'],
  ['best, ms', 'right'],
  ['median, ms', 'right'],
  ['clock', 'left'],
  ['GB/s', 'right'],
  ['GFLOP/s', 'right'],
  ['of ceiling', 'right'],
  ['error', 'right'],
  ['published', 'right'],
  ['better by', 'right'],
];

/** Three significant digits, without an exponent where a person reads it without. */
export function digits(value: number | null): string {
  if (value === null) return ABSENT;
  const size = Math.abs(value);
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) return value.toExponential(2);
  return size >= 1000 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

function times(ratio: number): string {
  return `${digits(Number(ratio.toPrecision(3)))} ×`;
}

function cellsOf(row: BenchmarkRow): string[] {
  const { published } = row;
  return [
    `  ${row.name}`,
    row.backend,
    digits(row.milliseconds),
    digits(row.median),
    row.clock,
    digits(row.GBs),
    digits(row.GFLOPs),
    row.fractionOfCeiling === null ? ABSENT : `${digits(100 * row.fractionOfCeiling)} %`,
    row.errorAgainstReference === null ? ABSENT : row.errorAgainstReference.toExponential(1),
    published ? `${digits(published.value)} ${published.unit}` : ABSENT,
    published?.ratio ? times(published.ratio) : ABSENT,
  ];
}

/** One table, a line a row, each suite under its name. */
function tableOf(rows: readonly BenchmarkRow[]): string {
  const table = new Table({
    head: COLUMNS.map(([title]) => title),
    colAligns: COLUMNS.map(([, align]) => align),
    style: { head: [], border: [] },
    chars: { mid: '', 'left-mid': '', 'mid-mid': '', 'right-mid': '' },
  });
  for (const suite of new Set(rows.map((row) => row.suite))) {
    table.push([`${suite}:`, ...COLUMNS.slice(1).map(() => '')]);
    for (const row of rows) if (row.suite === suite) table.push(cellsOf(row));
  }
  return table.toString();
}

function comparison({ name, backend }: BenchmarkRow, published: PublishedComparison): string {
  const { value, unit, hardware, source, measured, ratio } = published;
  const ours = measured === null ? 'a ratio of its own, not comparable' : `here ${digits(measured)} ${unit}`;
  return `  ${name}, ${backend}: ${digits(value)} ${unit} on ${hardware} (${source}); ${ours}${ratio === null ? '' : `, ${times(ratio)}`}`;
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length > 0 ? ['', title, ...lines] : [];
}

/** @returns the report, one string a line or table */
export function formatFindings({ backends, rows, failures }: BenchFindings): string[] {
  return [
    ...backends.map(({ name, adapter, precision, ceilings }) => {
      const { copyGBs, fmaGFLOPs, dispatchMicroseconds } = benchmarkCeilings(ceilings);
      return (
        `${name} (${adapter}, ${precision}): copy ${digits(copyGBs)} GB/s, multiply-add ${digits(fmaGFLOPs)} GFLOP/s, ` +
        `empty run ${digits(dispatchMicroseconds)} µs, by the ${ceilings.clock} clock`
      );
    }),
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
