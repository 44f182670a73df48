/** Runs benchmarks, one after the other, on one backend, and reports each as a row. */
import type { Backend, Ceilings } from '../compute/backend.ts';
import { DeviceLostError, StoppedError } from '../errors.ts';
import { measureCeilings } from '../performance/ceilings/index.ts';
import { ratesOf } from '../performance/kernel-totals.ts';
import { median } from '../statistics/index.ts';
import { compareWithPublished, OVER_ONE_CORE, type Benchmark, type VariantChoice } from './benchmark.ts';
import { measure, unsteadiness } from './measure.ts';
import type { MeasureOptions, TimeBudget, Measurement, WholeRun } from './measure.ts';
import type { BenchDocument, BenchmarkRow, PublishedComparison } from './document.ts';

/** Cells a side to which a series is related. */
const BASE_SIZE = 256;

function isSameWork(a: BenchmarkRow, b: BenchmarkRow): boolean {
  return a.series !== null && a.series === b.series && a.backend === b.backend && a.threads === b.threads;
}

/** Time per cell over that of the same series at 256² cells. */
function growthOf(row: BenchmarkRow, rows: readonly BenchmarkRow[]): number | null {
  const base = rows.find((other) => isSameWork(row, other) && other.parameters['n'] === BASE_SIZE);
  return base?.nanosecondsPerCell && row.nanosecondsPerCell ? row.nanosecondsPerCell / base.nanosecondsPerCell : null;
}

/** Time per cell of a linearised step over that of the step forward. */
function overStepForwardOf(row: BenchmarkRow, rows: readonly BenchmarkRow[]): number | null {
  const step = rows.find(
    ({ name, backend, threads }) => name === row.stepForward && backend === row.backend && threads === row.threads,
  );
  return step?.nanosecondsPerCell && row.nanosecondsPerCell ? row.nanosecondsPerCell / step.nanosecondsPerCell : null;
}

function overOneThreadOf(row: BenchmarkRow, rows: readonly BenchmarkRow[]): BenchmarkRow['overOneThread'] {
  const oneThread = (backend: BenchmarkRow['backend']): number | null => {
    const name = row.variantOf ?? row.name;
    const found = rows.find((other) => other.name === name && other.backend === backend && other.threads === 1);
    return found ? found.milliseconds / row.milliseconds : null;
  };
  return { reference: oneThread('reference'), wasm: oneThread('wasm') };
}

function besideOneCore(published: PublishedComparison, ratio: number | null): PublishedComparison {
  if (published.unit !== OVER_ONE_CORE || ratio === null) return published;
  return { ...published, measured: ratio, ratio: ratio / published.value };
}

/**
 * @param rows of one process
 * @param isRatio whether the published figures of a benchmark are ratios to one core
 * @returns the rows with what they say of each other
 */
export function relateRows(
  rows: readonly BenchmarkRow[],
  isRatio: (benchmark: string) => boolean,
): readonly BenchmarkRow[] {
  return rows.map((row) => {
    const related = { ...row, growth: growthOf(row, rows), overStepForward: overStepForwardOf(row, rows) };
    if (!isRatio(row.name)) return related;
    const overOneThread = overOneThreadOf(row, rows);
    // One thread is what others are held to; it is not held to a GPU.
    const ratio = row.threads === 1 ? null : (overOneThread?.wasm ?? null);
    const beside = (published: PublishedComparison): PublishedComparison => besideOneCore(published, ratio);
    return {
      ...related,
      overOneThread,
      published: row.published && beside(row.published),
      otherPublished: row.otherPublished.map(beside),
    };
  });
}

/** From here on a reader should know that the times of a row differ much. */
const WORTH_SAYING = 1.5;

/** The error, or why there is none; nothing where the backend is the reference itself. */
export type Judgement =
  | {
      readonly error: number;
      /** Error of all values, if the other one is that of values away from both ends. */
      readonly withEnds?: number;
    }
  | { readonly absent: string }
  | undefined;

/** What a result is compared with. */
export interface Judgements {
  /** The reference backend. */
  readonly reference?: Judgement;
  /** What an approximation approximates. */
  readonly exact?: Judgement;
}

/** @returns max |a − b| / max(1, max |b|); Infinity where one is not a number or the lengths differ */
export function largestError(values: Float64Array, expected: Float64Array): number {
  if (values.length !== expected.length) return Infinity;
  let difference = 0;
  let size = 1;
  for (let i = 0; i < expected.length; i++) {
    const d = Math.abs(values[i] - expected[i]);
    if (!(d < Infinity)) return Infinity;
    difference = Math.max(difference, d);
    size = Math.max(size, Math.abs(expected[i]));
  }
  return difference / size;
}

function seconds(milliseconds: number): string {
  return `${Number((milliseconds / 1000).toPrecision(2))} s`;
}

function short(value: number): string {
  return String(Number(value.toPrecision(3)));
}

function wholeNotes({ counts, timingShare }: WholeRun, deviceMilliseconds: number | null): string[] {
  const { waits, submissions, dispatches } = counts;
  return [
    `one has ${short(waits)} waits, ${short(submissions)} submissions and ${short(dispatches)} dispatches` +
      (deviceMilliseconds === null ? '' : `; the device is at work for ${short(deviceMilliseconds)} ms of it`),
    `one in which every kernel is timed takes ${short(100 * timingShare)} % longer`,
  ];
}

function errorOf(judgement: Judgement): number | null {
  return judgement && 'error' in judgement && judgement.error < Infinity ? judgement.error : null;
}

function judgementNotes(judgement: Judgement, what: string): string[] {
  if (!judgement) return [];
  if ('absent' in judgement) return [judgement.absent];
  if (judgement.error === Infinity) return [`no ${what}: a result is not a number`];
  const { withEnds } = judgement;
  return withEnds === undefined
    ? []
    : [`the ${what} is that inside; at both ends it is up to ${withEnds.toExponential(1)}`];
}

/** Relations between rows (`growth`, `overOneThread`) are null until `relateRows` adds them. */
export function rowOf(
  { suite, name, table, parameters, published, cellWork, variantOf, stepForward, notes: notesOn }: Benchmark,
  backend: Backend,
  { microseconds, clock, cost, whole, tooLongMilliseconds }: Measurement,
  ceilings: Ceilings,
  { reference, exact }: Judgements = {},
): BenchmarkRow {
  const least = microseconds.reduce((a, b) => Math.min(a, b));
  const rates = ratesOf({ calls: 1, totalMicroseconds: least, clock, ...cost }, ceilings);
  const comparisons = published.map((figure) => compareWithPublished(figure, least / 1000));
  const notes = [...(notesOn?.(backend) ?? [])];
  if (tooLongMilliseconds !== undefined) {
    const count = microseconds.length === 1 ? '1 run' : `${microseconds.length} runs`;
    notes.push(`${count} only, since one takes ${seconds(tooLongMilliseconds)}`);
  }
  const unsteady = unsteadiness(microseconds);
  if (unsteady > WORTH_SAYING) notes.push(`unsteady: the median is ${unsteady.toFixed(1)} times the best`);
  const deviceMilliseconds = whole && ceilings.clock === 'device' ? whole.kernelMilliseconds : null;
  if (whole) notes.push(...wholeNotes(whole, deviceMilliseconds));
  notes.push(...judgementNotes(reference, 'error'), ...judgementNotes(exact, 'error against the exact one'));
  return {
    suite,
    name,
    table: table ?? null,
    parameters: { ...parameters },
    variantOf: variantOf ?? null,
    series: cellWork?.series ?? null,
    stepForward: stepForward ?? null,
    overStepForward: null,
    backend: backend.name,
    threads: backend.threads ?? null,
    milliseconds: least / 1000,
    median: median(microseconds) / 1000,
    runs: microseconds.length,
    clock,
    bytes: cost.bytes,
    flops: cost.flops,
    GBs: rates.gigabytesPerSecond,
    GFLOPs: rates.gigaflopsPerSecond,
    fractionOfCeiling: rates.fractionOfCeiling,
    bound: rates.bound,
    errorAgainstReference: errorOf(reference),
    errorAgainstExact: errorOf(exact),
    nanosecondsPerCell: cellWork ? (1000 * least) / cellWork.cells : null,
    growth: null,
    overOneThread: null,
    published: comparisons[0] ?? null,
    otherPublished: comparisons.slice(1),
    waits: whole?.counts.waits ?? null,
    submissions: whole?.counts.submissions ?? null,
    dispatches: whole?.counts.dispatches ?? null,
    deviceMilliseconds,
    notes,
  };
}

/** The benchmark with one variant chosen, whatever was chosen before, which holds again once it is open. */
function withVariant(benchmark: Benchmark, { kernel, sizeClass, variant }: VariantChoice): Benchmark {
  const role = kernel.slice(kernel.indexOf('.') + 1);
  return {
    ...benchmark,
    name: `${benchmark.name}-${role}-${variant}`,
    table: `${benchmark.table ?? benchmark.suite}: variants of its kernels`,
    parameters: { ...benchmark.parameters, kernel: role, variant },
    variantOf: benchmark.name,
    async open(backend) {
      const choices = backend.tuning?.choices;
      const before = choices?.of(kernel, sizeClass);
      choices?.choose(kernel, sizeClass, variant);
      try {
        return await benchmark.open(backend);
      } finally {
        choices?.choose(kernel, sizeClass, before);
      }
    },
  };
}

/** @returns the benchmark in all variants that its kernels have on this backend; none if there is one form of each */
export function variantsOf(benchmark: Benchmark, backend: Backend): readonly Benchmark[] {
  return (benchmark.variants?.(backend) ?? []).map((choice) => withVariant(benchmark, choice));
}

export interface BenchmarkOptions extends MeasureOptions {
  /** What the reference backend gives of a benchmark, or why there is nothing to compare with; absent for the reference itself. */
  readonly expected?: (name: string) => Promise<Float64Array | string>;
  /** The same for the approximated result; absent if not requested. */
  readonly exact?: (name: string) => Promise<Float64Array | string>;
}

function judge(result: Float64Array, expected: Float64Array | string | undefined): Judgement {
  if (expected === undefined) return undefined;
  return typeof expected === 'string' ? { absent: expected } : { error: largestError(result, expected) };
}

/** The same without so many values at both ends, which `withEnds` has. */
function judgeInside(result: Float64Array, expected: Float64Array | string | undefined, ends: number): Judgement {
  const whole = judge(result, expected);
  if (typeof expected !== 'object' || !whole || !('error' in whole)) return whole;
  const inside = (values: Float64Array): Float64Array => values.subarray(ends, values.length - ends);
  return { error: largestError(inside(result), inside(expected)), withEnds: whole.error };
}

/** @throws StoppedError; LimitError where the backend cannot hold the benchmark */
export async function runBenchmark(
  backend: Backend,
  benchmark: Benchmark,
  { expected, exact, ...options }: BenchmarkOptions,
): Promise<BenchmarkRow> {
  const workload = await benchmark.open(backend);
  let measurement;
  try {
    measurement = await measure(backend, workload, options);
  } finally {
    workload.dispose();
  }
  const { name, variantOf, approximates } = benchmark;
  return rowOf(benchmark, backend, measurement, options.ceilings, {
    reference: judge(measurement.result, await expected?.(variantOf ?? name)),
    ...(approximates && {
      exact: judgeInside(measurement.result, await exact?.(approximates.exact), approximates.ends),
    }),
  });
}

/** @returns what one run from the beginning gives on this backend */
export async function resultOf(backend: Backend, benchmark: Benchmark): Promise<Float64Array> {
  const workload = await benchmark.open(backend);
  try {
    await workload.run();
    return await workload.result();
  } finally {
    workload.dispose();
  }
}

/** The names of `Ceilings` as results have them. */
interface BenchmarkCeilings {
  readonly copyGBs: number;
  readonly fmaGFLOPs: number;
  readonly dispatchMicroseconds: number;
}

export function benchmarkCeilings(ceilings: Ceilings): BenchmarkCeilings {
  const { copyGigabytesPerSecond, fmaGigaflopsPerSecond, dispatchMicroseconds } = ceilings;
  return { copyGBs: copyGigabytesPerSecond, fmaGFLOPs: fmaGigaflopsPerSecond, dispatchMicroseconds };
}

/** A backend as results name it. */
export interface BenchBackend {
  readonly name: Backend['name'];
  readonly adapter: string;
  readonly precision: Backend['precision'];
  /** Threads of the host that compute; null where a device does. */
  readonly threads: number | null;
  readonly ceilings: Ceilings;
}

/** @returns a backend as the document has it */
export function describeBackend({
  name,
  adapter,
  precision,
  threads,
  ceilings,
}: BenchBackend): BenchDocument['backends'][number] {
  const { clock, tickMicroseconds } = ceilings;
  return { name, adapter, precision, threads, ceilings: { ...benchmarkCeilings(ceilings), clock, tickMicroseconds } };
}

export interface BenchListener {
  /** Said once, before the first benchmark. */
  opened(backend: BenchBackend): void;
  /** So many more than were asked for: the variants of those. */
  more?(benchmarks: number): void;
  begin(benchmark: string): void;
  /** The next benchmark waits for what this begins. */
  row(row: BenchmarkRow): void | Promise<void>;
  /** A benchmark could not be run here; the ones after it still get their turn. */
  failed(benchmark: string, error: unknown): void;
}

export interface BenchOptions {
  /** What the reference gives of a benchmark, or why that is not known; absent for the reference itself. */
  readonly expected?: (name: string) => Promise<Float64Array | string>;
  /** The same for the approximated result. */
  readonly exact?: (name: string) => Promise<Float64Array | string>;
  /** The budget of each measurement; a function is asked before each. */
  readonly budget?: TimeBudget | (() => TimeBudget) | undefined;
  /** Whether a benchmark has its row already, and is skipped. */
  readonly isKnown?: (name: string) => boolean;
  /** Whether to run every variant of a benchmark’s kernels as well. */
  readonly variants?: boolean | undefined;
  readonly signal: AbortSignal;
  /** A turn of the thread: lets signals and messages in, which promises alone do not. */
  readonly turn: () => Promise<void>;
}

/** @throws StoppedError, DeviceLostError */
export async function driveBenchmarks(
  backend: Backend,
  benchmarks: readonly Benchmark[],
  listener: BenchListener,
  { expected, exact, budget, isKnown, variants = false, signal, turn }: BenchOptions,
): Promise<void> {
  const ceilings = await measureCeilings(backend);
  const { name, adapter, precision, threads = null } = backend;
  listener.opened({ name, adapter, precision, threads, ceilings });
  const withVariants = variants ? benchmarks.flatMap((one) => [one, ...variantsOf(one, backend)]) : benchmarks;
  const all = withVariants.filter((one) => !isKnown?.(one.name));
  listener.more?.(all.length - benchmarks.length);
  for (const benchmark of all) {
    await turn();
    if (signal.aborted) throw new StoppedError('stopped');
    listener.begin(benchmark.name);
    try {
      const row = await runBenchmark(backend, benchmark, {
        ceilings,
        ...(expected && { expected }),
        ...(exact && { exact }),
        ...(budget && { budget: typeof budget === 'function' ? budget() : budget }),
        signal,
        pause: turn,
      });
      await listener.row(row);
    } catch (error) {
      if (error instanceof StoppedError || error instanceof DeviceLostError) throw error;
      listener.failed(benchmark.name, error);
    }
  }
}
