/** The columns in which rows of benchmarks are shown, in the terminal and in Markdown. */
import type { BenchmarkRow } from '../../../engine/index.ts';

export interface Column {
  readonly title: string;
  readonly align: 'left' | 'right';
  /** Null where the row has nothing to say. */
  readonly cell: (row: BenchmarkRow) => string | null;
  /** Omitted of a table in which no row has it. */
  readonly optional?: boolean;
}

export const ABSENT = '–';

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

export const NAME_COLUMNS: readonly Column[] = [
  { title: 'benchmark', align: 'left', cell: ({ name }) => name },
  {
    title: 'backend',
    align: 'left',
    cell: ({ backend, threads }) => (backend === 'wasm' && threads !== null ? `wasm, ${threads}` : backend),
  },
];

export const RESULT_COLUMNS: readonly Column[] = [
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
  { title: 'over one thread of', align: 'right', cell: overOneThread, optional: true },
];

/** @returns the columns without those that are optional and empty in all these rows */
export function columnsFor(columns: readonly Column[], rows: readonly BenchmarkRow[]): readonly Column[] {
  return columns.filter(({ optional, cell }) => !optional || rows.some((row) => cell(row) !== null));
}
