/**
 * What the thread that computes was busy with in a cycle: its parts by method, and waits, uploads and readbacks if there is a
 * device. Parts of one cycle lie inside of each other; waits continue beside them.
 */
import type { Backend, BackendCounts, BackendTraffic, HostActivity } from '../compute/backend.ts';

/** Largest share of the time that cycles take. The trace of each cycle costs as well: together they stay below 2 %. */
const LARGEST_SHARE = 0.015;

/**
 * In which cycles the kernels are timed, each run by itself: in all of them while that costs next to nothing, else in as many as
 * keep it so.
 */
interface KernelSampling {
  /** Begins a cycle. @returns whether its kernels are to be timed */
  begin(): boolean;
  /** The latest cycle is queued. */
  end(): void;
  /** A cycle took so long, by the wall. */
  took(milliseconds: number): void;
}

export function createKernelSampling({ counts, timingMicroseconds }: SamplingParts): KernelSampling {
  let elapsed = 0;
  let spent = 0;
  /** Cost of the latest cycles, milliseconds. */
  let cost = 0;
  let latest = 0;
  let isTimed = false;
  let first = 0;
  return {
    begin() {
      // The first is timed whatever it costs, so that the shortest run knows its kernels.
      isTimed = spent === 0 || spent + cost <= LARGEST_SHARE * (elapsed + latest);
      first = counts().dispatches;
      return isTimed;
    },
    end() {
      cost = ((counts().dispatches - first) * timingMicroseconds) / 1000;
      if (isTimed) spent += cost;
    },
    took(milliseconds) {
      elapsed += milliseconds;
      latest = milliseconds;
    },
  };
}

interface SamplingParts {
  readonly counts: () => Backend['counts'];
  readonly timingMicroseconds: number;
}

/** How long the device, or the host where it computes, was at work on what was queued between start and stop. */
export interface Stopwatch {
  start(): void;
  stop(): void;
  /** Duration of all intervals together, after a `collect`. */
  milliseconds(): Promise<number>;
}

export function createStopwatch(backend: Backend): Stopwatch {
  const intervals: { readonly begin: Promise<number>; end?: Promise<number> }[] = [];
  return {
    start() {
      intervals.push({ begin: backend.mark() });
    },
    stop() {
      const interval = intervals.at(-1);
      if (interval) interval.end = backend.mark();
    },
    async milliseconds() {
      let sum = 0;
      for (const { begin, end } of intervals) sum += Math.max(0, (await (end ?? begin)) - (await begin));
      return sum;
    },
  };
}

/**
 * `cycle` is the queueing of a whole cycle, or its computing where that is done at once; `numbers` is what is made of what
 * comes back of it. `checkpoint` gathers the states, and `writing` waits for whoever keeps them.
 */
export type HostPart =
  | 'preparation'
  | 'cycle'
  | 'forecast'
  | 'observation'
  | 'analysis'
  | 'diagnostics'
  | 'numbers'
  | 'checkpoint'
  | 'writing'
  | HostActivity['kind'];

/** Something that the host did. Times are milliseconds of the thread's `performance.now()`. */
export interface HostSpan {
  readonly part: HostPart;
  readonly cycle: number;
  /** A method by its label; undefined where it is of none, or of the truth. */
  readonly method?: string | undefined;
  readonly begin: number;
  readonly milliseconds: number;
  /** Bytes that were moved; 0 if none were. */
  readonly bytes: number;
}

/** What was done until the numbers of a cycle were reported, since those of the one before were. */
export interface CycleTrace {
  readonly cycle: number;
  /** When the clock of the spans, and of the kernels of the cycle, was at 0: milliseconds since 1970. */
  readonly origin: number;
  /** When the trace was taken, by that clock. */
  readonly at: number;
  readonly spans: readonly HostSpan[];
  readonly counts: BackendCounts & BackendTraffic;
  /** By how much the times at which kernels began may be off, at most. */
  readonly clockErrorMicroseconds: number;
}

export interface Tracer {
  /** Whether all parts of a cycle are kept, as of a cycle whose kernels are timed; of the others the whole, and its waits. */
  detailed: boolean;
  /** The cycle that is being queued: what the host does for the device counts as done for it. */
  cycle: number;
  time<Result>(
    part: HostPart,
    work: () => Promise<Result>,
    of?: Partial<Pick<HostSpan, 'cycle' | 'method'>>,
  ): Promise<Result>;
  /** Takes the time from here on: until then the first cycle has not begun, and nothing is counted for it. @returns what ends it */
  prepare(): () => void;
  timeNow<Result>(part: HostPart, work: () => Result, of?: Partial<Pick<HostSpan, 'cycle' | 'method'>>): Result;
  /** Hands out, and forgets, what was done since it was asked last. */
  take(cycle: number): CycleTrace;
  /** Whether something was done since then. */
  readonly hasNews: boolean;
  dispose(): void;
}

type Counts = CycleTrace['counts'];

function countsOf({ counts, traffic }: Backend): Counts {
  const { waits, submissions, dispatches } = counts;
  return { waits, submissions, dispatches, ...traffic };
}

function since(before: Counts, now: Counts): Counts {
  return {
    waits: now.waits - before.waits,
    submissions: now.submissions - before.submissions,
    dispatches: now.dispatches - before.dispatches,
    uploads: now.uploads - before.uploads,
    uploadedBytes: now.uploadedBytes - before.uploadedBytes,
    readbacks: now.readbacks - before.readbacks,
    readBytes: now.readBytes - before.readBytes,
  };
}

/** Parts of a cycle that are quick where cycles are, so that to keep them would cost a share of it. */
const DETAILS: ReadonlySet<HostPart> = new Set(['forecast', 'observation', 'analysis', 'diagnostics']);

/** @param first the cycle that comes first */
export function createTracer(backend: Backend, first: number): Tracer {
  let spans: HostSpan[] = [];
  let counted = countsOf(backend);
  const stop = backend.onActivity(({ kind, begin, milliseconds, bytes }) => {
    if (kind !== 'wait' && !tracer.detailed) return;
    spans.push({ part: kind, cycle: tracer.cycle, begin, milliseconds, bytes });
  });
  const add = (part: HostPart, begin: number, of: Partial<HostSpan>): void => {
    if (!tracer.detailed && DETAILS.has(part)) return;
    const milliseconds = performance.now() - begin;
    spans.push({ part, cycle: tracer.cycle, begin, milliseconds, bytes: 0, ...of });
  };
  const tracer: Tracer = {
    detailed: false,
    cycle: first,
    async time(part, work, of = {}) {
      const begin = performance.now();
      try {
        return await work();
      } finally {
        add(part, begin, of);
      }
    },
    prepare() {
      const begin = performance.now();
      return () => {
        add('preparation', begin, {});
        counted = countsOf(backend);
      };
    },
    timeNow(part, work, of = {}) {
      const begin = performance.now();
      try {
        return work();
      } finally {
        add(part, begin, of);
      }
    },
    get hasNews() {
      return spans.length > 0;
    },
    take(cycle) {
      const taken = spans;
      spans = [];
      const now = countsOf(backend);
      const counts = since(counted, now);
      counted = now;
      const { clockErrorMicroseconds } = backend;
      return {
        cycle,
        origin: performance.timeOrigin,
        at: performance.now(),
        spans: taken,
        counts,
        // Before anything was timed on the device nothing is off.
        clockErrorMicroseconds: Number.isFinite(clockErrorMicroseconds) ? clockErrorMicroseconds : 0,
      };
    },
    dispose: stop,
  };
  return tracer;
}
