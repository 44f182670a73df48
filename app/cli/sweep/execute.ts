/**
 * A sweep from the cases that are there to the last one, or to a signal: its bar on a terminal, and its tables, which are true
 * whenever it ends.
 */
import { keepCase } from '../../../engine/index.ts';
import type { SweepPlan, SweepResults, PlanProgress, CaseSummary, KeptCase, SweepRow } from '../../../engine/index.ts';
import { listenForInterruption, createBar } from '../run/progress.ts';
import { EXIT, type Terminal, type Context, type ExitCode } from '../context.ts';
import { formatTable } from '../table.ts';
import { removeCase, storedHashes, takeCase, writeCase } from './case-folders.ts';
import { resumeCommand, type SweepFolder } from './folder.ts';
import { runPool } from './pool.ts';
import type { WorkerStart } from './worker.ts';

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
  const head = [
    'method',
    ...axes.map(({ title }) => title.replace(': ', '\n')),
    `${measure.name}${unit}\nmedian`,
    interval,
    'seeds',
    'diverged',
    ...(marks ? [''] : []),
  ];
  const shown = methods.flatMap((method) => rows.filter((row) => row.method === method).slice(0, MOST_ROWS));
  const more = rows.length - shown.length;
  const cells = shown.map((row) => [
    row.method,
    ...row.values.map(valueText),
    medianText(row),
    intervalText(row),
    `${row.seeds} of ${seeds.length}`,
    share(row.diverged, row.seeds),
    ...(marks ? [row.isBest === true ? BEST : ''] : []),
  ]);
  const table = formatTable(head, cells, { align: `l${'r'.repeat(axes.length + 4)}l`, compact: true });
  const notes = [
    ...(more > 0 ? [`${more} more rows are in the folder's tables`] : []),
    ...(marks
      ? [
          `${BEST} the best settings of its method, or not significantly different from them with these seeds (sign test, 95 %, each by itself)`,
        ]
      : []),
  ];
  return [table, ...notes].join('\n');
}

/** What came of a sweep's cases so far: kept small, and counted. */
interface Tally {
  add(result: CaseSummary): void;
  readonly of: (hash: string) => KeptCase | undefined;
  /** Cases that are done, complete or failed. */
  readonly done: number;
  readonly failed: number;
  /** Share of all methods in all complete cases that diverged, 0 to 1. */
  readonly divergedShare: number;
}

function createTally(plan: SweepPlan): Tally {
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

interface SweepProgress {
  update(): void;
  end(): void;
}

/** @param total cases, of which those that the tally has already were done before */
function createSweepProgress(terminal: Terminal, total: number, tally: Tally): SweepProgress {
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

/** The end of a sweep's command: what failed, how it is continued, and the exit code. */
export function exitCodeOf(state: SweepEnding['state'], { failed }: Pick<Tally, 'failed'>): ExitCode {
  if (state === 'stopped') return EXIT.interrupted;
  return failed > 0 ? EXIT.failed : EXIT.done;
}

/** Warns of the cases that failed, once for each reason. */
export function warnOfFailures({ terminal }: Context, plan: SweepPlan, tally: Tally, wanted: readonly number[]): void {
  const counts = new Map<string, number>();
  for (const index of wanted) {
    const kept = tally.of(plan.hashes[index]);
    if (kept?.state === 'failed') counts.set(kept.reason ?? '', (counts.get(kept.reason ?? '') ?? 0) + 1);
  }
  for (const [reason, count] of counts) {
    terminal.warn(`shoal: ${count} ${count === 1 ? 'case' : 'cases'} failed: ${reason}`);
  }
}

/** Says how a sweep that was stopped is continued. @param path of its folder */
export function sayHowToContinue(context: Context, { done }: Tally, count: number, path: string): void {
  context.terminal.warn(`stopped after ${done} of ${count} cases; continue with:`);
  context.terminal.warn(`  ${resumeCommand(context, path)}`);
}

/** The tables are written again so often, milliseconds, … */
const WRITE_EVERY = 30_000;
/** … or so many times more seldom than writing them takes. */
const WRITE_SHARE = 20;

/** What is to be run, and by whom. */
interface SweepWork {
  /** Indices of all cases that are asked for. */
  readonly wanted: readonly number[];
  /** Groups those that are not done. */
  readonly group: (todo: readonly number[]) => readonly (readonly number[])[];
  readonly workers: number;
  readonly start: Omit<WorkerStart, 'type' | 'folder' | 'paths' | 'origin'>;
  /** Failed cases are run again. */
  readonly retry: boolean;
  /** Whether the tables are written. */
  readonly tables: boolean;
}

export interface SweepEnding {
  readonly state: 'complete' | 'stopped';
  readonly tally: Tally;
  /** As written; undefined where no tables are. */
  readonly results: SweepResults | undefined;
}

/** Takes in the cases that are there and are not in the tally. What is damaged is removed with a warning, and is computed again. */
async function takeStored(
  { warn }: Pick<Terminal, 'warn'>,
  plan: SweepPlan,
  cases: string,
  wanted: readonly number[],
  tally: Tally,
  retry = false,
): Promise<void> {
  const stored = await storedHashes(cases);
  for (const index of wanted) {
    const hash = plan.hashes[index];
    if (!stored.has(hash) || tally.of(hash)) continue;
    const record = await takeCase(cases, hash, plan.methods, warn);
    if (retry && record?.state === 'failed') await removeCase(cases, hash);
    else if (record) tally.add(record);
  }
}

/** Reads what is there of the cases. */
export async function gather(
  terminal: Pick<Terminal, 'warn'>,
  plan: SweepPlan,
  { cases }: Pick<SweepFolder, 'cases'>,
  wanted: readonly number[],
  retry = false,
): Promise<Tally> {
  const tally = createTally(plan);
  await takeStored(terminal, plan, cases, wanted, tally, retry);
  return tally;
}

/** Writes the tables while cases come in, never twice at a time. */
function createWriter(folder: SweepFolder, tally: Tally) {
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<unknown> = Promise.resolve();
  const plan = (pause: number): void => {
    timer = setTimeout(() => {
      const begin = performance.now();
      writing = folder.write(tally.of).then(
        () => plan(Math.max(WRITE_EVERY, WRITE_SHARE * (performance.now() - begin))),
        // What keeps it from being written now is reported at the end.
        () => undefined,
      );
    }, pause);
  };
  return {
    begin: () => plan(WRITE_EVERY),
    async finish(): Promise<SweepResults> {
      clearTimeout(timer);
      await writing;
      clearTimeout(timer);
      return folder.write(tally.of);
    },
  };
}

/** @throws WriteError, BackendError */
export async function executeSweep(
  terminal: Terminal,
  plan: SweepPlan,
  folder: SweepFolder,
  { wanted, group, workers, start, retry, tables }: SweepWork,
): Promise<SweepEnding> {
  const { origin } = plan;
  const paths = plan.axes.map(({ path }) => path);
  const tally = await gather(terminal, plan, folder, wanted, retry);
  const before = tally.done;
  const todo = wanted.filter((index) => tally.of(plan.hashes[index]) === undefined);
  if (before > 0) terminal.note(`${folder.path}: ${before} of ${wanted.length} cases are done already`);
  const writer = createWriter(folder, tally);
  if (tables && todo.length > 0) await folder.write(tally.of);
  const progress = createSweepProgress(terminal, wanted.length, tally);
  const stopping = new AbortController();
  const interruption = listenForInterruption(() => {
    progress.end();
    terminal.warn('stopping …');
    stopping.abort();
  });
  const begin = new Date();
  try {
    if (tables) writer.begin();
    const running = runPool({
      workers,
      start: { ...start, type: 'start', folder: folder.cases, paths, origin },
      groups: group(todo),
      caseAt: (index) => plan.caseAt(index),
      onResult(result) {
        tally.add(result);
        progress.update();
      },
      writeFailed: (planned, outcome) =>
        writeCase(folder.cases, planned, outcome, { paths, origin, start: begin, end: new Date() }),
      signal: stopping.signal,
    });
    // After a second interrupt nothing more is reported.
    running.catch(() => undefined);
    await Promise.race([running, interruption.outOfPatience]);
    progress.end();
    // A process may have ended between writing a case and reporting it.
    if (tally.done < wanted.length) await takeStored(terminal, plan, folder.cases, wanted, tally);
    const results = tables ? await writer.finish() : undefined;
    return { state: tally.done < wanted.length ? 'stopped' : 'complete', tally, results };
  } catch (error) {
    // Complete cases stay reported, whatever ended the sweep.
    if (tables) await writer.finish().catch(() => undefined);
    throw error;
  } finally {
    progress.end();
    interruption.dispose();
  }
}
