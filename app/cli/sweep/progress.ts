/** What came of a sweep’s cases so far: a bar on a terminal, and the table at the end. */
import type { PlanProgress, CaseSummary, KeptCase, SweepPlan, SweepResults, SweepRow } from '../../../engine/index.ts';
import { createBar } from '../run/progress.ts';
import type { Terminal } from '../context.ts';
import { keepCase } from '../../../engine/index.ts';
import Table from 'cli-table3';

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

/** What came of a sweep's cases so far: kept small, and counted. */
export interface Tally {
  add(result: CaseSummary): void;
  readonly of: (hash: string) => KeptCase | undefined;
  /** Cases that are done, complete or failed. */
  readonly done: number;
  readonly failed: number;
  /** Share of all methods in all complete cases that diverged, 0 to 1. */
  readonly divergedShare: number;
}

export function createTally(plan: SweepPlan): Tally {
  const kept = new Map<string, KeptCase>();
  let failed = 0;
  let methods = 0;
  let diverged = 0;
  return {
    add(result) {
      if (kept.has(result.hash)) return;
      const own = keepCase(plan, result);
      kept.set(result.hash, own);
      if (own.state === 'failed') failed += 1;
      methods += own.methods.length;
      diverged += own.methods.filter(({ state }) => state === 'diverged').length;
    },
    of: (hash) => kept.get(hash),
    get done() {
      return kept.size;
    },
    get failed() {
      return failed;
    },
    get divergedShare() {
      return methods === 0 ? 0 : diverged / methods;
    },
  };
}

export interface SweepProgress {
  update(): void;
  end(): void;
}

/** @param total cases, of which those that the tally has already were done before */
export function createSweepProgress(terminal: Terminal, total: number, tally: Tally): SweepProgress {
  const bar = createBar(terminal, '{bar} {percentage} % | {value} of {total} cases | {ends} | ETA {eta_formatted}');
  const ends = (): string => `${(100 * tally.divergedShare).toFixed(0)} % diverged, ${tally.failed} failed`;
  bar.start(total, tally.done, { ends: ends() });
  return {
    update: () => bar.update(tally.done, { ends: ends() }),
    end: () => bar.stop(),
  };
}

/** A plan that takes less time than this has no bar. */
const QUIET_MS = 1000;
/** Between two updates of the bar of a plan. */
const UPDATE_MS = 100;

/**
 * Shows how many combinations of a plan are checked. A plan that takes long reports this on a terminal as a bar, elsewhere as one line.
 *
 * @param plan what to do, which receives the listener
 */
export async function withPlanProgress<Result>(
  terminal: Terminal,
  plan: (onProgress: PlanProgress) => Promise<Result>,
): Promise<Result> {
  const bar = createBar(
    terminal,
    '{bar} {percentage} % | {value} of {total} combinations checked | ETA {eta_formatted}',
  );
  let next = performance.now() + QUIET_MS;
  let isShown = false;
  try {
    return await plan((checked, total) => {
      if (performance.now() < next) return;
      next = performance.now() + UPDATE_MS;
      if (!isShown) {
        terminal.note(`checking ${total} combinations of settings …`);
        bar.start(total, checked);
      }
      isShown = true;
      bar.update(checked);
    });
  } finally {
    bar.stop();
  }
}
