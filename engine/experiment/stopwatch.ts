/** How long the device, or the host where it computes, was at work on what was queued between start and stop. */
import type { Backend } from '../compute/backend.ts';

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
