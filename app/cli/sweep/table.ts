/** What a sweep found, for people: of each method with each combination of values the median of a measure over the seeds. */
import Table from 'cli-table3';
import { median } from '../../../engine/index.ts';
import type { SweepMeasure, SweepResults } from '../../../engine/index.ts';

/** Rows of a method that a terminal shows; all are in the tables of the folder. */
const MOST_ROWS = 12;
const ABSENT = '–';

/** One method with one combination of values. */
export interface SweepRow {
  readonly method: string;
  readonly values: readonly unknown[];
  /** Median over the seeds that came through; null where none did, or the measure does not apply. */
  readonly median: number | null;
  /** Seeds in the median. */
  readonly seeds: number;
  /** Of the seeds that were run, the share with which it diverged; null where none was. */
  readonly diverged: number | null;
}

/** How far a value is from what good looks like: less is better. */
function distance(value: number | null, { best }: SweepMeasure): number {
  if (value === null) return Infinity;
  if (best === 'most') return -value;
  return typeof best === 'object' ? Math.abs(value - best.near) : value;
}

/** @returns a row for each method and combination, methods in their order, the best rows of each first */
export function rowsOf({ measures, methods, cases, seeds }: SweepResults, measureIndex = 0): readonly SweepRow[] {
  const measure = measures[measureIndex];
  const rows = methods.map((method) => {
    const own: SweepRow[] = [];
    for (let first = 0; first < cases.length; first += seeds.length) {
      const outcomes = cases
        .slice(first, first + seeds.length)
        .flatMap((each) => each.methods.filter((outcome) => outcome.method === method));
      const found = outcomes.flatMap(({ values }) => values[measureIndex] ?? []);
      own.push({
        method,
        values: cases[first].values,
        median: found.length === 0 ? null : median(found),
        seeds: found.length,
        diverged:
          outcomes.length === 0 ? null : outcomes.filter(({ state }) => state === 'diverged').length / outcomes.length,
      });
    }
    return own.sort((a, b) => distance(a.median, measure) - distance(b.median, measure));
  });
  return rows.flat();
}

function digits(value: number | null): string {
  return value === null ? ABSENT : String(Number(value.toPrecision(3)));
}

/** A value of an axis in a few characters. */
function valueText(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}

/** @returns the table, with what is left out of it in a line under it */
export function formatSweepTable(results: SweepResults, rows: readonly SweepRow[]): string {
  const { axes, measures, methods, seeds } = results;
  const [measure] = measures;
  const unit = measure.unit === '' ? '' : ` (${measure.unit})`;
  const table = new Table({
    head: ['method', ...axes.map(({ path }) => path), `${measure.name}${unit}\nmedian`, 'seeds', 'diverged'],
    colAligns: ['left', ...axes.map(() => 'right' as const), 'right', 'right', 'right'],
    style: { head: [], border: [] },
  });
  let more = 0;
  for (const method of methods) {
    const own = rows.filter((row) => row.method === method);
    more += Math.max(0, own.length - MOST_ROWS);
    for (const { values, median: middle, seeds: counted, diverged } of own.slice(0, MOST_ROWS)) {
      table.push([
        method,
        ...values.map(valueText),
        digits(middle),
        `${counted} of ${seeds.length}`,
        diverged === null ? ABSENT : `${(100 * diverged).toFixed(0)} %`,
      ]);
    }
  }
  return more === 0 ? table.toString() : `${table.toString()}\n${more} more rows are in the folder's tables`;
}
