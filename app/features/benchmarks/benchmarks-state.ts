/** What the benchmark page of one window shows: results that were timed here or read from a file, and what is being timed. */
import { batch, signal } from '@preact/signals';
import {
  benchmarksOf,
  benchmarksOn,
  relateRows,
  startService,
  SUITES,
  benchDocumentSchema,
  describeBackend,
  decodeUtf8,
  formatPath,
  parseWrittenJson,
  ScenarioError,
  type BackendName,
  type BenchListener,
  type Benchmark,
  type ServicePort,
  type BenchDocument,
  type BenchmarkRow,
  type Ceilings,
} from '../../../engine/index.ts';
import { computingPort } from '../../document/compute/workers.ts';
import { createStoppable } from '../../workers/worker-port.ts';
import { hearBenchmarks, type BenchmarkCommands, type BenchmarkEvent } from '../../services/benchmarks.ts';
import { reasonOf } from '../../page/notices.ts';
import { type Laboratory, slot } from '../../page/laboratory.ts';

/**
 * Results of benchmarks, wherever they were measured: here, or in a file of `shoal bench --json`, which anybody may have written.
 */
export interface BenchmarkResults extends Pick<BenchDocument, 'backends' | 'rows' | 'failures'> {
  /** Where they come from: a file's name, or that it was here. */
  readonly source: string;
  /** The machine, for people; empty where only its backend is known. */
  readonly machine: string;
}

/** The source of results that this page has timed. */
export const TIMED_HERE = 'timed here';

/**
 * @param beside measured beside a run, while the machine may have been busy
 * @param results of benchmarks, which measure the ceilings by themselves if they were timed here
 * @returns the better of both, part by part: load can only make a ceiling look lower
 */
export function betterCeilings(
  beside: Ceilings | undefined,
  results: BenchmarkResults | undefined,
  backend: string,
): Ceilings | undefined {
  const alone = results?.source === TIMED_HERE ? results.backends.find(({ name }) => name === backend) : undefined;
  if (!beside || !alone) return beside;
  const { copyGBs, fmaGFLOPs } = alone.ceilings;
  return {
    ...beside,
    copyGigabytesPerSecond: Math.max(beside.copyGigabytesPerSecond, copyGBs),
    fmaGigaflopsPerSecond: Math.max(beside.fmaGigaflopsPerSecond, fmaGFLOPs),
  };
}

/** The largest file that is read: a document of every row of every paper has a tenth of it. */
export const MOST_RESULT_BYTES = 8 * 2 ** 20;

/** A file that cannot be shown, with what is wrong in it. */
export class ResultsError extends Error {
  override readonly name = 'ResultsError';
}

/** @throws ResultsError where it is no JSON */
function parsed(bytes: Uint8Array, file: string): unknown {
  try {
    return parseWrittenJson(decodeUtf8(bytes, file), file);
  } catch (error) {
    throw error instanceof ScenarioError ? new ResultsError(`no JSON: ${error.message}`) : error;
  }
}

/** @throws ResultsError that names the place and what is wrong there */
export function readResults(bytes: Uint8Array, file: string): BenchmarkResults {
  if (bytes.byteLength > MOST_RESULT_BYTES) {
    throw new ResultsError(`${file} has ${bytes.byteLength} bytes, allowed: ${MOST_RESULT_BYTES}`);
  }
  const { data, error } = benchDocumentSchema.safeParse(parsed(bytes, file));
  if (!data) {
    const [{ path, message }] = error.issues;
    const place = formatPath(path.map((key) => (typeof key === 'symbol' ? String(key) : key)));
    throw new ResultsError(`${file} holds no results of shoal bench: ${place === '' ? '' : `${place}: `}${message}`);
  }
  const { machine, backends, rows, failures } = data;
  const { system, processor, cores } = machine;
  return { source: file, machine: `${processor}, ${cores} cores, ${system}`, backends, rows, failures };
}

/** How far a measurement is. */
export interface Measuring {
  readonly backend: BackendName;
  readonly done: number;
  readonly total: number;
  /** The benchmark that is being timed; empty while the machine's ceilings are. */
  readonly name: string;
}

export interface BenchmarksOptions {
  /** The small sizes of all suites if omitted. */
  readonly benchmarks?: readonly Benchmark[];
  /** Whether the next measurement on the same backend continues with the benchmarks that have no row yet. */
  readonly keepsRows?: boolean;
  readonly start?: (backend: BackendName) => ServicePort<BenchmarkCommands, BenchmarkEvent>;
}

/** @param backend that the worker opens; it is the worker's name */
function startWorker(backend: BackendName): ServicePort<BenchmarkCommands, BenchmarkEvent> {
  return computingPort(
    new Worker(new URL('./benchmark-worker.ts', import.meta.url), { type: 'module', name: backend }),
    (why) => new Error(`The worker that times the benchmarks broke down: ${why}`),
  );
}

export function createBenchmarks({
  benchmarks = benchmarksOf(SUITES, 'quick'),
  keepsRows = false,
  start = startWorker,
}: BenchmarksOptions = {}) {
  const results = signal<BenchmarkResults | undefined>(undefined);
  const measuring = signal<Measuring | undefined>(undefined);
  /** Name of the file that is being read. */
  const reading = signal<string | undefined>(undefined);
  /** Why there is nothing, or less than was asked for. */
  const failure = signal<string | undefined>(undefined);
  /** The row that chart and table point at, by `keyOfRow`. */
  const chosen = signal<string | undefined>(undefined);
  const { run, cancel } = createStoppable((reason) => {
    failure.value = reason;
  });
  /** What was asked for last: a file that is slow to read does not take the place of what came after. */
  let latest = 0;

  /** @returns what was timed here on a backend */
  function rowsOn(backend: BackendName): readonly BenchmarkRow[] {
    const { rows = [], source } = results.value ?? {};
    return source === TIMED_HERE ? rows.filter((row) => row.backend === backend) : [];
  }

  /** @returns those benchmarks that a measurement on a backend times: all, if none is without a row */
  function unmeasured(all: readonly Benchmark[], backend: BackendName): readonly Benchmark[] {
    const known = new Set(keepsRows ? rowsOn(backend).map(({ name }) => name) : []);
    const missing = all.filter(({ name }) => !known.has(name));
    return missing.length > 0 ? missing : all;
  }

  /** @returns the rows on a backend that a measurement of benchmarks keeps */
  function rowsBut(names: readonly string[], backend: BackendName): readonly BenchmarkRow[] {
    if (!keepsRows) return [];
    const again = new Set<string | null>(names);
    return rowsOn(backend).filter(({ name, variantOf }) => !again.has(name) && !again.has(variantOf));
  }

  /** Takes what is said while something is timed. */
  function whileMeasuring(take: (state: Measuring) => void): void {
    const state = measuring.value;
    if (state) batch(() => take(state));
  }

  const listener = (names: readonly string[]): BenchListener => ({
    opened: (backend) =>
      whileMeasuring(() => {
        results.value = {
          source: TIMED_HERE,
          machine: '',
          backends: [describeBackend(backend)],
          rows: rowsBut(names, backend.name),
          failures: [],
        };
      }),
    begin: (name) =>
      whileMeasuring((state) => {
        measuring.value = { ...state, name };
      }),
    row: (row) =>
      whileMeasuring((state) => {
        const known = results.value;
        if (known) results.value = { ...known, rows: relateRows([...known.rows, row], () => false) };
        measuring.value = { ...state, done: state.done + 1 };
      }),
    failed: (name, error) =>
      whileMeasuring((state) => {
        const known = results.value;
        const failed = { name, backend: state.backend, reason: reasonOf(error) };
        if (known) results.value = { ...known, failures: [...known.failures, failed] };
        measuring.value = { ...state, done: state.done + 1 };
      }),
  });

  /**
   * Times benchmarks on a backend, beside the page. What was shown of them before goes when the backend is open.
   *
   * @param wanted some of the benchmarks; all of them if omitted
   */
  async function measure(backend: BackendName, wanted = benchmarks): Promise<void> {
    if (measuring.value) return;
    latest += 1;
    const all = benchmarksOn(wanted, backend);
    const names = unmeasured(all, backend).map(({ name }) => name);
    batch(() => {
      reading.value = undefined;
      failure.value = undefined;
      chosen.value = undefined;
      measuring.value = { backend, done: all.length - names.length, total: all.length, name: '' };
    });
    const heard = listener(names);
    const service = startService<BenchmarkCommands, BenchmarkEvent>(start(backend), (event) =>
      hearBenchmarks(event, heard),
    );
    await run(
      (error) => service.end(error),
      async () => {
        await service.call('measure', { names });
      },
    );
    measuring.value = undefined;
  }

  /** Shows the results of a file, in place of those there, or reports what is wrong with it. Does nothing while benchmarks run. */
  async function open(file: {
    readonly name: string;
    readonly bytes: Uint8Array | Promise<Uint8Array>;
  }): Promise<void> {
    if (measuring.value) return;
    latest += 1;
    const turn = latest;
    reading.value = file.name;
    try {
      const read = readResults(await file.bytes, file.name);
      if (turn !== latest) return;
      batch(() => {
        results.value = read;
        failure.value = undefined;
        chosen.value = undefined;
      });
    } catch (error) {
      if (turn === latest) failure.value = reasonOf(error);
    } finally {
      if (turn === latest) reading.value = undefined;
    }
  }

  return { results, measuring, reading, failure, chosen, measure, cancel, open };
}

export type Benchmarks = ReturnType<typeof createBenchmarks>;

/** @returns the benchmarks of a page */
export const benchmarkPageOf = slot<Laboratory, Benchmarks>(() => createBenchmarks());
