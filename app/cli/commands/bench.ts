/** `shoal bench`: how quick the kernels and a whole cycle are here, beside what was published. */
import { SUITES, StoppedError, benchmarksOf, nearest } from '../../../engine/index.ts';
import type { Backend, BackendChoice, BackendName, Benchmark, BenchmarkRow, Suite } from '../../../engine/index.ts';
import { driveBenchmarks } from '../bench/drive.ts';
import type { BenchBackend, BenchListener } from '../bench/drive.ts';
import { createBenchProgress } from '../bench/progress.ts';
import type { BenchProgress } from '../bench/progress.ts';
import { benchDocument, formatFindings } from '../bench/report.ts';
import type { BenchFailure, BenchFindings } from '../bench/report.ts';
import { assertWritable, jsonTarget, writeDocument } from '../bench/target.ts';
import { driveInThread, expectedFromThread } from '../bench/thread.ts';
import { EXIT } from '../context.ts';
import type { CommonOptions, Context, ExitCode } from '../context.ts';
import { UsageError, describeFailure } from '../failure.ts';
import { thisMachine } from '../machine.ts';
import { listenForInterruption } from '../run/interruption.ts';
import { decideBackend, openBackend } from '../select-backend.ts';
import type { BackendPlace } from '../select-backend.ts';
import { versionsOf } from '../versions.ts';

export interface BenchOptions extends CommonOptions {
  readonly backend?: readonly BackendChoice[];
  readonly quick?: boolean;
  /** Of `stage`: the file of what it drew. */
  readonly png?: string;
  /** Of the `wasm` backend; as many as the machine has where left out. */
  readonly threads?: number;
}

/** @returns the suites of these names, all without any. @throws UsageError for a name that is none */
export function selectSuites(names: readonly string[]): readonly Suite[] {
  for (const name of names) {
    if (SUITES.some((suite) => suite === name)) continue;
    const near = nearest(name, SUITES);
    const hint = near === undefined ? '' : ` (did you mean ${near}?)`;
    throw new UsageError(`unknown suite '${name}'${hint}; suites are ${SUITES.join(', ')}`);
  }
  return names.length === 0 ? SUITES : SUITES.filter((suite) => names.includes(suite));
}

type Decided = { readonly names: readonly BackendName[] } | { readonly exitCode: ExitCode };

/** WebGPU first: where it needs the program started again, that one does all the work. */
async function decideBackends(choices: readonly BackendChoice[], context: Context): Promise<Decided> {
  const decided = new Map<BackendChoice, BackendName>();
  const others = choices.filter((choice) => choice !== 'webgpu');
  for (const choice of new Set<BackendChoice>(others.length < choices.length ? ['webgpu', ...others] : others)) {
    const backing = await decideBackend(choice, context);
    if (backing.kind === 'done') return { exitCode: backing.exitCode as ExitCode };
    decided.set(choice, backing.name);
  }
  const names = choices.flatMap((choice) => decided.get(choice) ?? []);
  return { names: [...new Set(names)] };
}

/** What is gathered while benchmarks run. */
interface Gathering {
  readonly backends: BenchBackend[];
  readonly rows: BenchmarkRow[];
  readonly failures: BenchFailure[];
}

function listenerFor(backend: BackendName, gathering: Gathering, progress: BenchProgress): BenchListener {
  return {
    opened: (opened) => gathering.backends.push(opened),
    begin: (name) => progress.begin(`${name} on ${backend}`),
    row: (row) => {
      gathering.rows.push(row);
      progress.done();
    },
    failed: (name, error) => {
      gathering.failures.push({ name, backend, reason: describeFailure(error).lines.join('; ') });
      progress.done();
    },
  };
}

async function runOn(
  name: BackendName,
  benchmarks: readonly Benchmark[],
  place: BackendPlace,
  listener: BenchListener,
  signal: AbortSignal,
  own: (backend: Backend) => void,
): Promise<void> {
  if (name === 'reference') {
    const names = benchmarks.map((benchmark) => benchmark.name);
    return driveInThread(place.bundleFolder, names, listener, signal);
  }
  const backend = await openBackend(name, place);
  own(backend);
  return driveBenchmarks(backend, benchmarks, listener, {
    expected: (benchmark) => expectedFromThread(place.bundleFolder, benchmark.name, signal),
    signal,
  });
}

/** By benchmark, and then in the order of the backends. */
function inOrder(rows: readonly BenchmarkRow[], benchmarks: readonly Benchmark[]): BenchmarkRow[] {
  return benchmarks.flatMap(({ name }) => rows.filter((row) => row.name === name));
}

/** @returns whether all benchmarks had their turn */
async function carryOut(
  context: Context,
  names: readonly BackendName[],
  benchmarks: readonly Benchmark[],
  gathering: Gathering,
  threads: number | undefined,
): Promise<boolean> {
  const { terminal, installation } = context;
  const place: BackendPlace = { bundleFolder: installation.bundleFolder, threads };
  const progress = createBenchProgress(terminal, names.length * benchmarks.length);
  const stopping = new AbortController();
  const interruption = listenForInterruption(() => {
    progress.end();
    terminal.warn('stopping …');
    stopping.abort();
  });
  const opened: Backend[] = [];
  const work = async (): Promise<'complete'> => {
    for (const name of names) {
      const listener = listenerFor(name, gathering, progress);
      await runOn(name, benchmarks, place, listener, stopping.signal, (backend) => opened.push(backend));
    }
    return 'complete';
  };
  try {
    return (await Promise.race([work(), interruption.outOfPatience])) === 'complete';
  } catch (error) {
    if (error instanceof StoppedError || stopping.signal.aborted) return false;
    throw error;
  } finally {
    progress.end();
    interruption.dispose();
    // Work that an impatient end leaves behind fails on it, unheard.
    for (const backend of opened) backend.dispose();
  }
}

/** @throws UsageError, BackendError, DeviceLostError */
async function bench(context: Context, given: readonly string[], options: BenchOptions): Promise<ExitCode> {
  const { terminal, installation } = context;
  const benchmarks = benchmarksOf(selectSuites(given), { quick: options.quick ?? false });
  const target = jsonTarget(options.json);
  if (target?.kind === 'file') await assertWritable(target.path);
  const decided = await decideBackends(options.backend ?? ['auto'], context);
  if ('exitCode' in decided) return decided.exitCode;

  const gathering: Gathering = { backends: [], rows: [], failures: [] };
  const complete = await carryOut(context, decided.names, benchmarks, gathering, options.threads);
  const findings: BenchFindings = {
    ...gathering,
    rows: inOrder(gathering.rows, benchmarks),
    machine: { ...thisMachine(), versions: versionsOf(installation) },
  };
  for (const line of formatFindings(findings)) terminal.print(line);
  if (!complete) {
    const wanted = decided.names.length * benchmarks.length;
    const unwritten = target ? '; no JSON was written' : '';
    terminal.warn(`stopped after ${findings.rows.length} of ${wanted} benchmarks${unwritten}`);
    return EXIT.interrupted;
  }
  const document = benchDocument(findings);
  terminal.printJson(document);
  if (target?.kind === 'file') {
    await writeDocument(target.path, document);
    terminal.note(`written: ${target.path}`);
  }
  for (const { name, backend, reason } of findings.failures) {
    terminal.warn(`shoal: ${name} could not be run on ${backend}: ${reason}`);
  }
  return findings.failures.length > 0 ? EXIT.failed : EXIT.done;
}

/** What is drawn, beside the suites of what is computed. */
const STAGE = 'stage';

export default async (context: Context, suites: readonly string[], options: BenchOptions): Promise<ExitCode> => {
  if (suites.length === 1 && suites[0] === STAGE) {
    const { default: benchStage } = await import('./bench-stage.ts');
    return benchStage(context, options);
  }
  if (suites.includes(STAGE)) throw new UsageError(`${STAGE} is timed by itself: shoal bench ${STAGE}`);
  if (options.png !== undefined) throw new UsageError(`--png is of shoal bench ${STAGE}`);
  return bench(context, suites, options);
};
