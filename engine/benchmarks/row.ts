/** The report of one benchmark on one backend. */
import type { Backend, Ceilings } from '../compute/backend.ts';
import { ratesOf } from '../performance/kernel-totals.ts';
import { median } from '../statistics/index.ts';
import type { Benchmark } from './benchmark.ts';
import type { BenchmarkRow, PublishedComparison } from './document.ts';
import { unsteadiness, type Measurement, type WholeRun } from './measure.ts';
import { compareWithPublished, OVER_ONE_CORE } from './published-figure.ts';

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
    const related = { ...row, growth: growthOf(row, rows) };
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
  { suite, name, table, parameters, published, cellWork, variantOf, notes: notesOn }: Benchmark,
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
