/**
 * The trace of a run in bounded memory: its first cycles and its last ones, each as lines of JSON that are written as they are.
 * What lies between is omitted, and how much that is, is kept.
 */
import type { KernelSample } from '../compute/backend.ts';
import type { CycleTrace, HostPart, HostSpan } from '../experiment/index.ts';

/** Processes of a trace. */
const PROCESS = { host: 1, kernels: 2 } as const;

interface Track {
  readonly thread: number;
  readonly title: string;
}

/** From one track to the next; lanes of a track lie between. */
const LANES = 100;

const CYCLES: Track = { thread: LANES, title: 'cycles' };
const TRACKS: Readonly<Record<HostPart, Track>> = {
  preparation: CYCLES,
  cycle: CYCLES,
  forecast: CYCLES,
  observation: CYCLES,
  analysis: CYCLES,
  diagnostics: CYCLES,
  numbers: { thread: 2 * LANES, title: 'numbers of a cycle' },
  wait: { thread: 3 * LANES, title: 'waits for the device' },
  submission: { thread: 4 * LANES, title: 'submissions' },
  upload: { thread: 5 * LANES, title: 'uploads' },
  readback: { thread: 6 * LANES, title: 'readbacks' },
  checkpoint: { thread: 7 * LANES, title: 'checkpoints' },
  writing: { thread: 8 * LANES, title: 'writing' },
};
const KERNELS: Track = { thread: LANES, title: 'kernels' };

/** What is counted a cycle. */
const COUNTERS = ['waits', 'submissions', 'dispatches', 'uploads', 'readbacks'] as const;

/**
 * Spans of the host, kernels and counters of a run as events of the Trace Event Format, which Perfetto and chrome://tracing
 * open: an array of JSON objects with times in microseconds since the run began. Each is a line of its own, made once.
 *
 * The host is one process and what the kernels run on another. The events of a track lie inside of each other or apart; what would
 * overlaps another goes to a further lane of its track.
 *
 * Source: the Trace Event Format as chrome://tracing documents it; complete events (`X`), counters (`C`) and metadata (`M`).
 *
 * What identifies an event when a trace is read.
 */
interface TraceEvent {
  readonly name: string;
  readonly ph: 'X' | 'C' | 'M';
  readonly pid: number;
  readonly tid: number;
  /** Microseconds since the run began; absent of metadata. */
  readonly ts?: number;
  /** Microseconds, of a complete event. */
  readonly dur?: number;
  readonly args: Readonly<Record<string, string | number>>;
}

function titled(name: 'process_name' | 'thread_name', pid: number, tid: number, words: string): TraceEvent {
  return { name, ph: 'M', pid, tid, args: { name: words } };
}

/** @returns the titles of processes and tracks. @param threads the tracks, `pid tid` @param place what kernels run on */
export function titleEvents(threads: ReadonlySet<string>, place: string): TraceEvent[] {
  const tracks = [...threads].map((key) => {
    const [pid, tid] = key.split(' ').map(Number);
    const known = pid === PROCESS.kernels ? [KERNELS] : Object.values(TRACKS);
    const lane = tid % LANES;
    const track = known.find(({ thread }) => thread === tid - lane);
    return titled('thread_name', pid, tid, `${track?.title ?? 'track'}${lane > 0 ? ` ${lane + 1}` : ''}`);
  });
  return [
    titled('process_name', PROCESS.host, 0, 'host'),
    titled('process_name', PROCESS.kernels, 0, `kernels: ${place}`),
    ...tracks,
  ];
}

/** Lays events in time and on tracks, in the order in which they become known. */
interface TraceLayout {
  /** @param kernels of the cycle, where they were timed */
  lay(trace: CycleTrace, kernels: readonly KernelSample[]): LaidTrace;
}

interface LaidTrace {
  /** Spans of the host, with the counters. */
  readonly spans: readonly TraceEvent[];
  readonly kernels: readonly TraceEvent[];
}

/** In whole nanoseconds, so that what ends when another begins does so to the digit. */
interface Interval {
  readonly from: number;
  readonly to: number;
}

const NANOSECONDS_PER_MILLISECOND = 1e6;
const NANOSECONDS_PER_MICROSECOND = 1000;

/** Whether an interval is separate from another, or one of them inside of the other. */
function nests(a: Interval, b: Interval): boolean {
  const isApart = a.to <= b.from || b.to <= a.from;
  return isApart || (a.from >= b.from && a.to <= b.to) || (b.from >= a.from && b.to <= a.to);
}

/** What is on a lane: where all of it has ended, and the intervals that another may still overlap. */
interface Lane {
  end: number;
  readonly recent: Interval[];
}

/** Intervals of a lane that are looked at: those that are not long over. */
const REMEMBERED = 64;

/** @returns finds the first lane of a track in which an interval overlaps no other, and keeps it there */
function createLanes(): (pid: number, thread: number, interval: Interval) => number {
  const lanes = new Map<number, Lane>();
  return (pid, thread, interval) => {
    for (let index = 0; index < LANES - 1; index++) {
      const key = pid * LANES * LANES + thread + index;
      const lane = lanes.get(key) ?? { end: 0, recent: [] };
      const { recent } = lane;
      if (interval.from < lane.end && !recent.every((other) => nests(interval, other))) continue;
      lane.end = Math.max(lane.end, interval.to);
      recent.push(interval);
      if (recent.length > REMEMBERED) recent.shift();
      lanes.set(key, lane);
      return thread + index;
    }
    return thread + LANES - 1;
  };
}

function nameOf({ part, cycle, method }: HostSpan): string {
  if (part === 'cycle' || part === 'numbers') return `${part} ${cycle}`;
  if (part === 'forecast') return `forecast ${method ?? 'truth'}`;
  return method === undefined ? part : `${part} ${method}`;
}

/** @param start when the run began, milliseconds since 1970: the clocks of all that it was done in are laid after it */
function createTraceLayout(start: number): TraceLayout {
  const laneOf = createLanes();
  /** By the origin of a clock, milliseconds since the run began at which it was 0. */
  const offsets = new Map<number, number>();
  const offsetOf = (origin: number, first: number): number => {
    // The system's clock may have been set since the other one began: nothing is before the run.
    const offset = offsets.get(origin) ?? Math.max(origin - start, -first);
    offsets.set(origin, offset);
    return offset;
  };

  return {
    lay({ cycle, origin, at, spans, counts }, kernels) {
      const first = [...spans, ...kernels].reduce((least, { begin }) => Math.min(least, begin), at);
      const offset = offsetOf(origin, first);
      const nanoseconds = (time: number): number =>
        Math.max(0, Math.round((offset + time) * NANOSECONDS_PER_MILLISECOND));
      const complete = (
        name: string,
        pid: number,
        { thread }: Track,
        begin: number,
        milliseconds: number,
        args: TraceEvent['args'],
      ): TraceEvent => {
        const [from, to] = [nanoseconds(begin), nanoseconds(begin + milliseconds)];
        const tid = laneOf(pid, thread, { from, to });
        const [ts, dur] = [from / NANOSECONDS_PER_MICROSECOND, (to - from) / NANOSECONDS_PER_MICROSECOND];
        return { name, ph: 'X', pid, tid, ts, dur, args };
      };
      const onHost = [...spans].sort((a, b) => a.begin - b.begin || b.milliseconds - a.milliseconds);
      const laid = onHost.map((span) => {
        const args = { cycle: span.cycle, ...(span.bytes > 0 && { bytes: span.bytes }) };
        return complete(nameOf(span), PROCESS.host, TRACKS[span.part], span.begin, span.milliseconds, args);
      });
      const ts = nanoseconds(at) / NANOSECONDS_PER_MICROSECOND;
      const counted = COUNTERS.map((name): TraceEvent => {
        return { name, ph: 'C', pid: PROCESS.host, tid: 0, ts, args: { [name]: counts[name] } };
      });
      const ran = [...kernels]
        .sort((a, b) => a.begin - b.begin)
        .map(({ name, begin, microseconds, bytes, flops }) =>
          complete(name, PROCESS.kernels, KERNELS, begin, microseconds / 1000, { cycle, bytes, flops }),
        );
      return { spans: [...laid, ...counted], kernels: ran };
    },
  };
}

/** The events that became known with the numbers of one cycle. */
export interface TracedCycle {
  readonly cycle: number;
  /** Each a JSON object, without the comma. */
  readonly lines: readonly string[];
  /** The tracks that they are on, `pid tid`. */
  readonly threads: readonly string[];
}

export interface StoredTrace {
  /** Ascending. */
  readonly cycles: readonly TracedCycle[];
  /** Cycles, and kernels of the cycles that are there, which were known and are not there. */
  readonly leftOut: { readonly cycles: number; readonly kernels: number };
  /** By how much times of kernels may be off that a device's clock took, µs, at most; 0 where the host's took them. */
  readonly clockErrorMicroseconds: number;
}

export const NO_TRACE: StoredTrace = { cycles: [], leftOut: { cycles: 0, kernels: 0 }, clockErrorMicroseconds: 0 };

/** @returns the trace without a cycle and those after it, which are done again */
export function cyclesBefore(trace: StoredTrace, cycle: number): StoredTrace {
  return { ...trace, cycles: trace.cycles.filter((traced) => traced.cycle < cycle) };
}

export interface TraceLog {
  /** A kernel that was timed; it is laid into the trace with its cycle. */
  kernel(cycle: number, sample: KernelSample): void;
  add(trace: CycleTrace): void;
  /** Forgets a cycle and those after it, which are done again. */
  dropFrom(cycle: number): void;
  readonly stored: StoredTrace;
}

/** Letters that a trace has at most: half of them for the first cycles, half for the last ones. */
const MOST_LETTERS = 4 * 2 ** 20;
/** Letters of the kernels of one cycle, at most: those behind them are omitted. */
const MOST_LETTERS_OF_KERNELS = MOST_LETTERS / 8;

function lineOf(event: TraceEvent): string {
  return JSON.stringify(event);
}

function lettersOf({ lines }: TracedCycle): number {
  return lines.reduce((sum, { length }) => sum + length, 0);
}

/** @returns how many of these lines there is room for */
function fitting(lines: readonly string[], most: number): number {
  let letters = 0;
  for (const [index, { length }] of lines.entries()) {
    letters += length;
    if (letters > most) return index;
  }
  return lines.length;
}

/**
 * @param start when the run began, milliseconds since 1970
 * @param before what is there of a run that continues
 */
export function createTraceLog(start: number, before: StoredTrace = NO_TRACE, mostLetters = MOST_LETTERS): TraceLog {
  const layout = createTraceLayout(start);
  const waiting = new Map<number, KernelSample[]>();
  const first: TracedCycle[] = [];
  const last: TracedCycle[] = [];
  let [lettersFirst, lettersLast] = [0, 0];
  let { leftOut, clockErrorMicroseconds } = before;

  function keep(traced: TracedCycle): void {
    const letters = lettersOf(traced);
    if (last.length === 0 && leftOut.cycles === 0 && lettersFirst + letters <= mostLetters / 2) {
      first.push(traced);
      lettersFirst += letters;
      return;
    }
    last.push(traced);
    lettersLast += letters;
    let dropped = 0;
    for (; lettersLast > mostLetters / 2 && last.length - dropped > 1; dropped++)
      lettersLast -= lettersOf(last[dropped]);
    last.splice(0, dropped);
    leftOut = { ...leftOut, cycles: leftOut.cycles + dropped };
  }

  function dropBehind(kept: TracedCycle[], cycle: number): number {
    const at = kept.findIndex((traced) => traced.cycle >= cycle);
    const dropped = at < 0 ? [] : kept.splice(at);
    return dropped.reduce((sum, traced) => sum + lettersOf(traced), 0);
  }

  for (const traced of before.cycles) keep(traced);
  return {
    kernel(cycle, sample) {
      const samples = waiting.get(cycle);
      if (samples) samples.push(sample);
      else waiting.set(cycle, [sample]);
    },
    add(trace) {
      const samples = waiting.get(trace.cycle) ?? [];
      for (const cycle of waiting.keys()) if (cycle <= trace.cycle) waiting.delete(cycle);
      const { spans, kernels } = layout.lay(trace, samples);
      const lines = kernels.map(lineOf);
      const fit = fitting(lines, Math.min(MOST_LETTERS_OF_KERNELS, mostLetters / 8));
      leftOut = { ...leftOut, kernels: leftOut.kernels + lines.length - fit };
      clockErrorMicroseconds = Math.max(
        samples.some(({ clock }) => clock === 'device') ? trace.clockErrorMicroseconds : 0,
        clockErrorMicroseconds,
      );
      const events = [...spans, ...kernels.slice(0, fit)].filter(({ ph }) => ph === 'X');
      keep({
        cycle: trace.cycle,
        lines: [...spans.map(lineOf), ...lines.slice(0, fit)],
        threads: [...new Set(events.map(({ pid, tid }) => `${pid} ${tid}`))],
      });
    },
    dropFrom(cycle) {
      lettersFirst -= dropBehind(first, cycle);
      lettersLast -= dropBehind(last, cycle);
      for (const known of waiting.keys()) if (known >= cycle) waiting.delete(known);
    },
    get stored() {
      return { cycles: [...first, ...last], leftOut, clockErrorMicroseconds };
    },
  };
}
