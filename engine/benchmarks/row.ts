/** The report of one benchmark on one backend. */
import type { Backend } from '../compute/backend.ts';
import type { Ceilings } from '../compute/ceilings.ts';
import { ratesOf } from '../performance/kernel-rates.ts';
import { median } from '../performance/kernel-timing.ts';
import type { Benchmark, Suite } from './benchmark.ts';
import { unsteadiness } from './measure.ts';
import type { Measurement, WholeRun } from './measure.ts';
import { compareWithPublished } from './published.ts';
import type { PublishedComparison } from './published.ts';

export interface BenchmarkRow {
  readonly suite: Suite;
  readonly name: string;
  readonly backend: Backend['name'];
  /** Threads of the host that compute; null where a device does, with as many as it has. */
  readonly threads: number | null;
  /** Of one run: the least, and the median. */
  readonly milliseconds: number;
  readonly median: number;
  /** Entries that these are taken from. */
  readonly runs: number;
  /** By timestamps on the device, or by the wall clock of the host. */
  readonly clock: 'device' | 'wall';
  /** 10⁹ a second, by formula, at the least time; null where the clock is too coarse. */
  readonly GBs: number | null;
  readonly GFLOPs: number | null;
  /** Of the nearer of the ceilings measured in the same process; null where it is not known. */
  readonly fractionOfCeiling: number | null;
  /** Which one that is. */
  readonly bound: 'bandwidth' | 'arithmetic' | null;
  /** max |a − b| / max(1, max |b|) against the reference backend; null for itself, and where the notes say why. */
  readonly errorAgainstReference: number | null;
  readonly published: PublishedComparison | null;
  readonly otherPublished: readonly PublishedComparison[];
  /** Of a whole cycle: how often the host waited for the device, and how much it handed over; null of a single operator. */
  readonly waits: number | null;
  readonly submissions: number | null;
  readonly dispatches: number | null;
  /** Of a whole cycle, what the device was at work by its own clock; null where it has none. */
  readonly deviceMilliseconds: number | null;
  /** Whatever a reader must know about these numbers. */
  readonly notes: readonly string[];
}

/** From here on a reader should know that the times of a row differ much. */
const WORTH_SAYING = 1.5;

/** The error, or why there is none; nothing where the backend is the reference itself. */
export type Judgement = { readonly error: number } | { readonly absent: string } | undefined;

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
    `a cycle has ${short(waits)} waits, ${short(submissions)} submissions and ${short(dispatches)} dispatches` +
      (deviceMilliseconds === null ? '' : `; the device is at work for ${short(deviceMilliseconds)} ms of it`),
    `a cycle in which every kernel is timed takes ${short(100 * timingShare)} % longer`,
  ];
}

export function rowOf(
  { suite, name, published }: Benchmark,
  backend: Backend,
  { microseconds, clock, cost, whole, tooLongMilliseconds }: Measurement,
  ceilings: Ceilings,
  judgement: Judgement,
): BenchmarkRow {
  const least = microseconds.reduce((a, b) => Math.min(a, b));
  const rates = ratesOf({ calls: 1, totalMicroseconds: least, clock, ...cost }, ceilings);
  const comparisons = published.map((figure) => compareWithPublished(figure, least / 1000));
  const notes: string[] = [];
  if (tooLongMilliseconds !== undefined) {
    const count = microseconds.length === 1 ? '1 run' : `${microseconds.length} runs`;
    notes.push(`${count} only, since one takes ${seconds(tooLongMilliseconds)}`);
  }
  const unsteady = unsteadiness(microseconds);
  if (unsteady > WORTH_SAYING) notes.push(`unsteady: the median is ${unsteady.toFixed(1)} times the best`);
  const deviceMilliseconds = whole && ceilings.clock === 'device' ? whole.kernelMilliseconds : null;
  if (whole) notes.push(...wholeNotes(whole, deviceMilliseconds));
  const error = judgement && 'error' in judgement ? judgement.error : null;
  if (error === Infinity) notes.push('no error: a result is not a number');
  if (judgement && 'absent' in judgement) notes.push(judgement.absent);
  return {
    suite,
    name,
    backend: backend.name,
    threads: backend.threads ?? null,
    milliseconds: least / 1000,
    median: median(microseconds) / 1000,
    runs: microseconds.length,
    clock,
    GBs: rates.gigabytesPerSecond,
    GFLOPs: rates.gigaflopsPerSecond,
    fractionOfCeiling: rates.fractionOfCeiling,
    bound: rates.bound,
    errorAgainstReference: error === Infinity ? null : error,
    published: comparisons[0] ?? null,
    otherPublished: comparisons.slice(1),
    waits: whole?.counts.waits ?? null,
    submissions: whole?.counts.submissions ?? null,
    dispatches: whole?.counts.dispatches ?? null,
    deviceMilliseconds,
    notes,
  };
}
