/**
 * In which cycles the kernels are timed, each run by itself: in all of them while that costs next to nothing, else in as many as
 * keep it so.
 */
import type { Backend } from '../compute/backend.ts';

/** Largest share of the time that cycles take. The trace of each cycle costs as well: together they stay below 2 %. */
const LARGEST_SHARE = 0.015;

export interface KernelSampling {
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

export interface SamplingParts {
  readonly counts: () => Backend['counts'];
  readonly timingMicroseconds: number;
}
