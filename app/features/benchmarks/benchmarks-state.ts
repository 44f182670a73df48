/** What the benchmark page of one window shows: results that were timed here or read from a file, and what is being timed. */
import { batch, signal } from '@preact/signals';
import { benchmarksOf, createCaller, fromPlainError, relateRows, SUITES } from '../../../engine/index.ts';
import type { BackendName, Benchmark } from '../../../engine/index.ts';
import type { BenchmarkCommands, BenchmarkEvent, BenchmarkStarterPort } from './benchmark-calls.ts';
import { describedBackend, readResults, TIMED_HERE } from './results.ts';
import type { BenchmarkResults } from './results.ts';
import { startBenchmarkWorker } from './start-benchmarks.ts';
import type { Laboratory } from '../../page/laboratory.ts';

/** How far a measurement is. */
export interface Measuring {
  readonly backend: BackendName;
  readonly done: number;
  readonly total: number;
  /** The benchmark that is being timed; empty while the machine's ceilings are. */
  readonly name: string;
}

export interface BenchmarksOptions {
  /** The small sizes of all suites where left out. */
  readonly benchmarks?: readonly Benchmark[];
  readonly start?: (backend: BackendName) => BenchmarkStarterPort;
}

const CANCELLED = new Error('cancelled');

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

export function createBenchmarks({
  benchmarks = benchmarksOf(SUITES, 'quick'),
  start = startBenchmarkWorker,
}: BenchmarksOptions = {}) {
  const results = signal<BenchmarkResults | undefined>(undefined);
  const measuring = signal<Measuring | undefined>(undefined);
  /** Name of the file that is being read. */
  const reading = signal<string | undefined>(undefined);
  /** Why there is nothing, or less than was asked for. */
  const failure = signal<string | undefined>(undefined);
  /** The row that chart and table point at, by `keyOfRow`. */
  const chosen = signal<string | undefined>(undefined);
  let stop: (() => void) | undefined;
  /** What was asked for last: a file that is slow to read does not take the place of what came after. */
  let latest = 0;

  function listen(event: BenchmarkEvent): void {
    const known = results.value;
    const state = measuring.value;
    if (!state) return;
    switch (event.type) {
      case 'opened':
        results.value = {
          source: TIMED_HERE,
          machine: '',
          backends: [describedBackend(event.backend)],
          rows: [],
          failures: [],
        };
        break;
      case 'begin':
        measuring.value = { ...state, name: event.name };
        break;
      case 'row':
        batch(() => {
          if (known) results.value = { ...known, rows: relateRows([...known.rows, event.row], () => false) };
          measuring.value = { ...state, done: state.done + 1 };
        });
        break;
      case 'failed': {
        const { name, failure: reason } = event;
        const failed = { name, backend: state.backend, reason: fromPlainError(reason).message };
        batch(() => {
          if (known) results.value = { ...known, failures: [...known.failures, failed] };
          measuring.value = { ...state, done: state.done + 1 };
        });
        break;
      }
      default:
        event satisfies never;
    }
  }

  /** Times the quick benchmarks on a backend, beside the page. What was shown before goes when the first result comes. */
  async function measure(backend: BackendName): Promise<void> {
    if (measuring.value) return;
    latest += 1;
    batch(() => {
      reading.value = undefined;
      failure.value = undefined;
      chosen.value = undefined;
      measuring.value = { backend, done: 0, total: benchmarks.length, name: '' };
    });
    const port = start(backend);
    const caller = createCaller<BenchmarkCommands, BenchmarkEvent>(port, listen);
    stop = () => caller.close(CANCELLED);
    try {
      await caller.call(
        'measure',
        benchmarks.map(({ name }) => name),
      );
    } catch (error) {
      if (error !== CANCELLED) failure.value = messageOf(error);
    } finally {
      stop = undefined;
      measuring.value = undefined;
      port.close();
    }
  }

  /** Stops what is being timed; what was found so far stays. */
  function cancel(): void {
    stop?.();
  }

  /** Shows what a file holds, in place of what is there; what is wrong with it is told. Nothing while something is timed. */
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
      if (turn === latest) failure.value = messageOf(error);
    } finally {
      if (turn === latest) reading.value = undefined;
    }
  }

  return { results, measuring, reading, failure, chosen, measure, cancel, open };
}

export type Benchmarks = ReturnType<typeof createBenchmarks>;

function createBenchmarkPage(): Benchmarks {
  return createBenchmarks();
}

/** @returns the benchmarks of a page */
export function benchmarkPageOf(laboratory: Laboratory): Benchmarks {
  return laboratory.use(createBenchmarkPage);
}
