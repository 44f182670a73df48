/** When the run on screen began, continued and was computed last: what its run folder says is then true, whenever it is saved. */
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
