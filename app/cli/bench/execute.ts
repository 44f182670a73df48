/** Runs benchmarks on each backend, and the yardsticks that published ratios need, and gathers what is found. */
import { setImmediate as turn } from 'node:timers/promises';
import {
  benchmarksOn,
  budgetWithin,
  describeBackend,
  driveBenchmarks,
  relateRows,
  StoppedError,
  tuningTasks,
  startService,
  type Backend,
  type BackendName,
  type BenchDocument,
  type BenchListener,
  type Benchmark,
  type BenchmarkRow,
  type TimeBudget,
  type Service,
} from '../../../engine/index.ts';
import { type Context, type Terminal, describeFailure } from '../context.ts';
import { listenForInterruption, createBar } from '../run/progress.ts';
import { openBackend, type BackendPlace } from '../open-backend.ts';
import { tuneOnFirstUse } from '../tuning/report.ts';
import type { BenchFailure } from './report.ts';
import { hearBenchmarks, type BenchmarkCommands, type BenchmarkEvent } from '../../services/benchmarks.ts';
import { startThread } from '../thread.ts';

function startBenchThread(bundleFolder: string, listener: (event: BenchmarkEvent) => void): Service<BenchmarkCommands> {
  return startService<BenchmarkCommands, BenchmarkEvent>(startThread(bundleFolder, 'bench-worker.js'), listener);
}

/** The benchmarks of these names on the reference backend. @throws StoppedError */
async function driveInThread(
  bundleFolder: string,
  names: readonly string[],
  listener: BenchListener,
  { budget, signal }: { readonly budget: TimeBudget | undefined; readonly signal: AbortSignal },
): Promise<void> {
  if (signal.aborted) throw new StoppedError('stopped');
  const thread = startBenchThread(bundleFolder, (event) => hearBenchmarks(event, listener));
  const stop = (): void => thread.end(new StoppedError('stopped'));
  signal.addEventListener('abort', stop, { once: true });
  try {
    await thread.call('measure', { names, budget });
  } finally {
    signal.removeEventListener('abort', stop);
    stop();
  }
}

/** What the reference backend gives of benchmarks, from a thread that lives until it is closed, or too slow. */
interface Expectations {
  /** @returns the values, or why nobody waited longer for them. @throws StoppedError */
  of(name: string, patienceSeconds: number): Promise<Float64Array | string>;
  close(): void;
}

function createExpectations(bundleFolder: string, signal: AbortSignal): Expectations {
  let thread: Service<BenchmarkCommands> | undefined;
  let begun: (() => void) | undefined;
  const close = (): void => {
    thread?.end(new StoppedError('stopped'));
    thread = undefined;
  };
  signal.addEventListener('abort', close, { once: true });
  return {
    async of(name, patienceSeconds) {
      if (signal.aborted) throw new StoppedError('stopped');
      thread ??= startBenchThread(bundleFolder, ({ type }) => type === 'begin' && begun?.());
      let timer: NodeJS.Timeout | undefined;
      const outOfPatience = new Promise<string>((resolve) => {
        begun = () => {
          timer = setTimeout(
            () => resolve(`no error: the reference needs more than ${Number(patienceSeconds.toPrecision(2))} s`),
            1000 * patienceSeconds,
          );
        };
      });
      const result = thread.call('result', name);
      // It ends with its thread when nobody waits for it any more.
      result.catch(() => undefined);
      try {
        const found = await Promise.race([result, outOfPatience]);
        if (typeof found === 'string') close();
        return found;
      } catch (error) {
        // The next one gets a thread that nothing has happened to.
        close();
        throw error;
      } finally {
        clearTimeout(timer);
      }
    },
    close: () => {
      signal.removeEventListener('abort', close);
      close();
    },
  };
}

/** How far the benchmarks are: a bar on a terminal, like that of a run. */
function createBenchProgress(terminal: Terminal, total: number) {
  const bar = createBar(terminal, '{bar} {percentage} % | {value} of {total} | {step} | ETA {eta_formatted}');
  let wanted = total;
  let count = 0;
  return {
    /** @returns how many are to come */
    left: () => wanted - count,
    /** There are so many more to come than it was made for. */
    more(benchmarks: number): void {
      wanted += benchmarks;
      if (bar.isActive) bar.setTotal(wanted);
    },
    begin(step: string): void {
      if (bar.isActive) bar.update({ step });
      else bar.start(wanted, 0, { step });
    },
    done(): void {
      count += 1;
      if (bar.isActive) bar.increment();
    },
    end: () => bar.stop(),
  };
}

/** Benchmarks on one backend. */
export interface BenchJob {
  readonly backend: BackendName;
  /** Threads of the `wasm` backend; default: as many as the machine has. */
  readonly threads: number | undefined;
  readonly benchmarks: readonly Benchmark[];
  /** Time budget of each measurement. */
  readonly budget?: TimeBudget;
  /** Whether to run every variant of the kernels as well. */
  readonly variants?: boolean;
}

export interface Gathered {
  readonly backends: BenchDocument['backends'];
  /** By benchmark, and then in the order of the jobs. */
  readonly rows: readonly BenchmarkRow[];
  readonly failures: readonly BenchFailure[];
  /** Whether all benchmarks had their turn. */
  readonly complete: boolean;
}

/** A ratio that is given to two digits wants no more of a run that takes seconds. */
const YARDSTICK_BUDGET: TimeBudget = { milliseconds: 500, longestMilliseconds: 4000 };

/** One thread of `reference` and of `wasm`, for figures that were published as ratios to one core. */
export function oneThreadJobs(jobs: readonly BenchJob[], benchmarks: readonly Benchmark[]): readonly BenchJob[] {
  const ratios = benchmarks.filter(({ comparesWithOneThread }) => comparesWithOneThread);
  if (ratios.length === 0) return [];
  const yardsticks: readonly BenchJob[] = [
    {
      backend: 'reference',
      threads: undefined,
      benchmarks: benchmarksOn(ratios, 'reference'),
      budget: YARDSTICK_BUDGET,
    },
    { backend: 'wasm', threads: 1, benchmarks: benchmarksOn(ratios, 'wasm'), budget: YARDSTICK_BUDGET },
  ];
  return yardsticks.filter(
    ({ backend, threads }) =>
      !jobs.some((job) => job.backend === backend && (threads === undefined || job.threads === threads)),
  );
}

interface Gathering {
  readonly backends: BenchDocument['backends'][number][];
  readonly rows: BenchmarkRow[];
  readonly failures: BenchFailure[];
}

function listenerFor(
  backend: BackendName,
  gathering: Gathering,
  progress: ReturnType<typeof createBenchProgress>,
  keep: () => Promise<void>,
): BenchListener {
  return {
    opened: (opened) => {
      const { backends } = gathering;
      const known = backends.findIndex(({ name, threads }) => name === opened.name && threads === opened.threads);
      backends.splice(known < 0 ? backends.length : known, 1, describeBackend(opened));
    },
    more: (benchmarks) => progress.more(benchmarks),
    begin: (name) => progress.begin(`${name} on ${backend}`),
    row: (row) => {
      gathering.rows.push(row);
      progress.done();
      return keep();
    },
    failed: (name, error) => {
      gathering.failures.push({ name, backend, reason: describeFailure(error).lines.join('; ') });
      progress.done();
    },
  };
}

type Expected = (name: string) => Promise<Float64Array | string>;

/** What an approximation represents is asked for once per row of a table, so it is cached. */
function remembered(expected: Expected): Expected {
  const known = new Map<string, Promise<Float64Array | string>>();
  return (name) => {
    const found = known.get(name) ?? expected(name);
    known.set(name, found);
    return found;
  };
}

/** How benchmarks are run. */
export interface Execution {
  /** For which a comparison with the reference is worth waiting. */
  readonly patienceSeconds: number;
  /** Whether only approximations are compared, with the exact result. */
  readonly isHasty?: boolean;
  /** What all of them may take together; each then has its share of what is left. */
  readonly totalSeconds?: number;
  /** What a call before, which was stopped, has found of the same jobs. */
  readonly before?: Pick<BenchDocument, 'backends' | 'rows'>;
  /** Takes what was found so far, after each row; the next benchmark waits. */
  readonly keep?: (found: Gathered) => Promise<void>;
}

/** A row that has so much is measured as well as with more. */
const MOST_SHARE_MILLISECONDS = 8000;
/** A comparison with the reference may take so many shares of the time that is left. */
const PATIENT_SHARES = 3;

export async function execute(
  { terminal, installation: { bundleFolder } }: Context,
  jobs: readonly BenchJob[],
  { patienceSeconds, isHasty = false, totalSeconds, before, keep }: Execution,
): Promise<Gathered> {
  const gathering: Gathering = {
    backends: [...(before?.backends ?? [])],
    rows: [...(before?.rows ?? [])],
    failures: [],
  };
  const end = performance.now() + 1000 * (totalSeconds ?? Infinity);
  const progress = createBenchProgress(
    terminal,
    jobs.reduce((sum, { benchmarks }) => sum + benchmarks.length, 0),
  );
  const stopping = new AbortController();
  const { signal } = stopping;
  const interruption = listenForInterruption(() => {
    progress.end();
    terminal.warn('stopping …');
    stopping.abort();
  });
  const expectations = createExpectations(bundleFolder, signal);
  /** The share of one benchmark in the time that is left, milliseconds. */
  const share = (): number =>
    Math.min(MOST_SHARE_MILLISECONDS, Math.max(0, end - performance.now()) / Math.max(1, progress.left()));
  const expected: Expected = async (name) =>
    isHasty
      ? 'no error: with --quick the papers’ rows are not compared with the reference'
      : expectations.of(name, Math.min(patienceSeconds, (PATIENT_SHARES * share()) / 1000));
  const exact = remembered((name) => expectations.of(name, patienceSeconds));
  const opened: Backend[] = [];
  const runOn = async ({ backend: name, threads, benchmarks, budget, variants }: BenchJob): Promise<void> => {
    const listener = listenerFor(name, gathering, progress, async () => keep?.(found(false)));
    const isKnown = (benchmark: string): boolean =>
      before?.rows.some((row) => row.name === benchmark && isOf(row, { backend: name, threads })) ?? false;
    if (name === 'reference') {
      const names = benchmarks.map((benchmark) => benchmark.name).filter((benchmark) => !isKnown(benchmark));
      listener.more?.(names.length - benchmarks.length);
      const within = totalSeconds === undefined ? undefined : budgetWithin(share());
      return driveInThread(bundleFolder, names, listener, { budget: within ?? budget, signal });
    }
    const place: BackendPlace = { bundleFolder, threads };
    const backend = await openBackend(name, place);
    opened.push(backend);
    // What is over in seconds does not wait for it.
    if (budget === undefined) await tuneOnFirstUse(backend, tuningTasks(name), terminal);
    return driveBenchmarks(backend, benchmarks, listener, {
      expected,
      exact,
      budget: totalSeconds === undefined ? budget : () => budgetWithin(share()),
      isKnown,
      variants,
      signal,
      turn: () => turn(),
    });
  };
  const work = async (): Promise<'complete'> => {
    for (const job of jobs) await runOn(job);
    return 'complete';
  };
  const found = (complete: boolean): Gathered => ({
    backends: gathering.backends,
    rows: arranged(gathering.rows, jobs),
    failures: [...gathering.failures, ...(complete ? [] : withoutTurn(jobs, gathering))],
    complete,
  });
  try {
    return found((await Promise.race([work(), interruption.outOfPatience])) === 'complete');
  } catch (error) {
    if (error instanceof StoppedError || signal.aborted) return found(false);
    throw error;
  } finally {
    progress.end();
    interruption.dispose();
    expectations.close();
    // Work that an impatient end leaves behind fails on it, unheard.
    for (const backend of opened) backend.dispose();
  }
}

/** Whether a row is of a job on this backend. */
function isOf(row: BenchmarkRow, { backend, threads }: Pick<BenchJob, 'backend' | 'threads'>): boolean {
  return row.backend === backend && (threads === undefined || row.threads === threads);
}

/** Rows of a stopped call, so that a reader of its file does not take them for missing benchmarks. */
function withoutTurn(jobs: readonly BenchJob[], { rows, failures }: Gathering): readonly BenchFailure[] {
  return jobs.flatMap(({ backend, threads, benchmarks }) =>
    benchmarks
      .filter(({ name }) => {
        const hasRow = rows.some((row) => row.name === name && isOf(row, { backend, threads }));
        return !hasRow && !failures.some((failure) => failure.name === name && failure.backend === backend);
      })
      .map(({ name }) => ({ name, backend, reason: 'stopped before its turn' })),
  );
}

/** By benchmark, and then in the order of the jobs, with what rows say of each other. */
function arranged(rows: readonly BenchmarkRow[], jobs: readonly BenchJob[]): readonly BenchmarkRow[] {
  const benchmarks = new Map(jobs.flatMap((job) => job.benchmarks.map((benchmark) => [benchmark.name, benchmark])));
  const ordered = [...benchmarks.keys()].flatMap((name) => rows.filter((row) => (row.variantOf ?? row.name) === name));
  return relateRows(ordered, (name) => benchmarks.get(name)?.comparesWithOneThread ?? false);
}
