/**
 * The trace of a run in bounded memory: its first cycles and its last ones, each as lines of JSON that are written as they are.
 * What lies between is omitted, and how much that is, is kept.
 */
import type { KernelSample } from '../compute/backend.ts';
import type { CycleTrace } from '../experiment/index.ts';
import { createTraceLayout } from './trace-events.ts';
import type { TraceEvent } from './trace-events.ts';

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
