/**
 * The times of the run on screen: when it began, continued and was computed last, which its run folder says; and where its cycles are
 * on the timeline, which of them have a tick and a number, and which are stored.
 */
import { signal } from '@preact/signals';

/** ISO 8601. */
export interface RunTimes {
  readonly start: string;
  /** When its last cycle was done; while there is none, when it began. */
  readonly end: string;
  /** Times at which it was continued, after it had been opened from a folder. */
  readonly resumed: readonly string[];
}

/** The times of one run. */
export function createRunClock() {
  const times = signal<RunTimes & { readonly isStored: boolean }>({ start: '', end: '', resumed: [], isStored: false });

  function runTimes(): RunTimes {
    const { start, end, resumed } = times.value;
    return { start, end, resumed };
  }

  /** A run begins. */
  function beginTimes(now = new Date()): void {
    const start = now.toISOString();
    times.value = { start, end: start, resumed: [], isStored: false };
  }

  /** The run on screen was read from a folder. */
  function restoreTimes({ start, end, resumed }: RunTimes): void {
    times.value = { start, end, resumed, isStored: true };
  }

  /** A cycle of the run is done. */
  function cycleIsDone(now = new Date()): void {
    const end = now.toISOString();
    const { start, resumed, isStored } = times.value;
    times.value = { start, end, resumed: isStored ? [...resumed, end] : resumed, isStored: false };
  }

  return { runTimes, beginTimes, restoreTimes, cycleIsDone };
}

export type RunClock = ReturnType<typeof createRunClock>;

export interface TimelineScale {
  /** The first and the last cycle that have a place. */
  readonly first: number;
  readonly last: number;
  /** Share of the width, 0 to 1. */
  place(cycle: number): number;
  /** The nearest cycle to a share of the width. */
  cycleAt(share: number): number;
}

export function timelineScale(cycles: number): TimelineScale {
  const first = -1;
  const last = Math.max(0, cycles - 1);
  const length = last - first;
  return {
    first,
    last,
    place: (cycle) => (Math.max(first, Math.min(last, cycle)) - first) / length,
    cycleAt: (share) => first + Math.round(Math.max(0, Math.min(1, share)) * length),
  };
}

/** @returns the smallest of 1, 2, 5, 10, 20, 50, … that leaves at least `pixels` between two of its multiples */
export function niceStep(cycles: number, width: number, pixels: number): number {
  if (width <= 0) return Math.max(1, cycles);
  const least = (cycles * pixels) / width;
  let decade = 1;
  for (;;) {
    for (const factor of [1, 2, 5]) if (factor * decade >= least) return factor * decade;
    decade *= 10;
  }
}

/** @returns multiples of a step from 0 to the last cycle */
export function multiples(step: number, last: number): number[] {
  return Array.from({ length: Math.floor(last / step) + 1 }, (_, index) => index * step);
}

/** @returns of the given cycles, no two nearer than `pixels`; the first of each group */
export function thinned(cycles: readonly number[], scale: TimelineScale, width: number, pixels: number): number[] {
  let latest = -Infinity;
  return cycles.filter((cycle) => {
    const at = scale.place(cycle) * width;
    if (at - latest < pixels) return false;
    latest = at;
    return true;
  });
}

/**
 * @param cycles stored, ascending; −1 is the state before the first cycle and none itself
 * @returns `12 cycles`, or `5 of 12 cycles` where some of those that were run are not stored
 */
export function storedText(cycles: readonly number[]): string {
  const run = (cycles.at(-1) ?? -1) + 1;
  const stored = cycles.filter((cycle) => cycle >= 0).length;
  const what = run === 1 ? 'cycle' : 'cycles';
  return stored < run ? `${stored} of ${run} ${what}` : `${run} ${what}`;
}

/** What is known of cycles that are stored in a file. */
interface Recording {
  readonly file: string;
  /** Every so many cycles the run kept one. */
  readonly every: number;
}

/** @returns `2nd`, `11th` */
function ordinal(number: number): string {
  const teens = number % 100 > 10 && number % 100 < 14;
  const ending = teens ? undefined : { 1: 'st', 2: 'nd', 3: 'rd' }[number % 10];
  return `${number}${ending ?? 'th'}`;
}

/** @returns why cycles of an opened run are passed over; undefined where it kept all */
export function skippedText({ file, every }: Recording): string | undefined {
  if (every === 1) return undefined;
  return `The run kept every ${ordinal(every)} cycle in ${file}; playing and steps pass over the others`;
}

/** The room in which the line of stored cycles is drawn: across, and down. */
export const LINE_BOX = { width: 1000, height: 4 } as const;

/** @returns an SVG path: a bar for each row of cycles that follow each other, as wide as they are and no narrower than can be seen */
export function barsOf(cycles: readonly number[], scale: TimelineScale): string {
  const { width, height } = LINE_BOX;
  const half = width / (scale.last - scale.first) / 2;
  const bars: string[] = [];
  let from = cycles[0];
  cycles.forEach((cycle, index) => {
    if (cycles[index + 1] === cycle + 1) return;
    const inset = Math.min(half, 2);
    const left = width * scale.place(from) - inset;
    const right = width * scale.place(cycle) + inset;
    bars.push(`M${left.toFixed(2)} 0H${right.toFixed(2)}V${height}H${left.toFixed(2)}z`);
    from = cycles[index + 1];
  });
  return bars.join('');
}
