/** What a sweep found, for people: of each method with each combination of values the median of a measure over the seeds. */
import Table from 'cli-table3';
import type { SweepResults, SweepRow } from '../../../engine/index.ts';

/** Rows of a method that a terminal shows; all are in the tables of the folder. */
const MOST_ROWS = 12;
const ABSENT = '–';
const BEST = '●';

function digits(value: number): string {
  return String(Number(value.toPrecision(3)));
}

/** A value of an axis in a few characters. */
function valueText(value: unknown): string {
  if (value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}

/** The median with its interval; with few seeds the interval is their range, which the table's note says. */
function medianText({ median }: SweepRow): string {
  return median === undefined ? ABSENT : digits(median.estimate);
}

function intervalText({ median }: SweepRow): string {
  if (median === undefined || median.low === median.high) return ABSENT;
  return `${digits(median.low)} to ${digits(median.high)}`;
}

function share(part: number, whole: number): string {
  return whole === 0 ? ABSENT : `${((100 * part) / whole).toFixed(0)} %`;
}

/** @param rows of the first measure. @returns the table, and under it what has to be known to read it */
export function formatSweepTable({ axes, measures, methods, seeds }: SweepResults, rows: readonly SweepRow[]): string {
  const [measure] = measures;
  const unit = measure.unit === '' ? '' : ` (${measure.unit})`;
  const isSure = rows.some(({ median }) => median !== undefined && median.coverage >= median.level);
  const interval = isSure ? '95 %' : 'range';
  const marks = rows.some(({ isBest }) => isBest !== undefined);
  const table = new Table({
    head: [
      'method',
      ...axes.map(({ title }) => title.replace(': ', '\n')),
      `${measure.name}${unit}\nmedian`,
      interval,
      'seeds',
      'diverged',
      ...(marks ? [''] : []),
    ],
    colAligns: ['left', ...axes.map(() => 'right' as const), 'right', 'right', 'right', 'right', 'left'],
    style: { head: [], border: [], compact: true },
  });
  let more = 0;
  for (const method of methods) {
    const own = rows.filter((row) => row.method === method);
    more += Math.max(0, own.length - MOST_ROWS);
    for (const row of own.slice(0, MOST_ROWS)) {
      table.push([
        method,
        ...row.values.map(valueText),
        medianText(row),
        intervalText(row),
        `${row.seeds} of ${seeds.length}`,
        share(row.diverged, row.seeds),
        ...(marks ? [row.isBest === true ? BEST : ''] : []),
      ]);
    }
  }
  const notes = [
    ...(more > 0 ? [`${more} more rows are in the folder's tables`] : []),
    ...(marks
      ? [
          `${BEST} the best settings of its method, or not significantly different from them with these seeds (sign test, 95 %, each by itself)`,
        ]
      : []),
  ];
  return [table.toString(), ...notes].join('\n');
}
