/**
 * The kernel log: what each kernel did in each cycle, added up from the single timed runs. Bytes and operations are counted
 * by the operators' formulas, never measured; the clock says how the time was taken.
 */
import type { BackendName, KernelSample } from '../compute/backend.ts';

/** One kernel in one cycle. */
export interface KernelRecord {
  readonly cycle: number;
  readonly name: string;
  readonly backend: BackendName;
  readonly grid: readonly [nx: number, ny: number];
  readonly calls: number;
  readonly medianMicroseconds: number;
  readonly totalMicroseconds: number;
  readonly clock: 'device' | 'wall';
  /** Of all calls together. */
  readonly bytes: number;
  readonly flops: number;
  /** bytes and flops over the total time; 0 where the clock is too coarse to have seen it. */
  readonly gigabytesPerSecond: number;
  readonly gigaflopsPerSecond: number;
}

export interface KernelLog {
  add(cycle: number, sample: KernelSample): void;
  /** Hands out, and forgets, the records of all cycles before `cycle`, by cycle and then by first call. */
  take(beforeCycle?: number): KernelRecord[];
}

interface Sum {
  readonly microseconds: number[];
  readonly clock: 'device' | 'wall';
  bytes: number;
  flops: number;
}

/** The middle value, or the mean of the two middle ones; of at least one value. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const upper = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[upper] : (sorted[upper - 1] + sorted[upper]) / 2;
}

/** A rate in 10⁹ a second of an amount in microseconds. */
function gigaPerSecond(amount: number, microseconds: number): number {
  return microseconds > 0 ? amount / microseconds / 1000 : 0;
}

export function createKernelLog(backend: BackendName, grid: readonly [nx: number, ny: number]): KernelLog {
  const cycles = new Map<number, Map<string, Sum>>();
  const record = (cycle: number, name: string, { microseconds, clock, bytes, flops }: Sum): KernelRecord => {
    const totalMicroseconds = microseconds.reduce((sum, value) => sum + value, 0);
    return {
      cycle,
      name,
      backend,
      grid,
      calls: microseconds.length,
      medianMicroseconds: median(microseconds),
      totalMicroseconds,
      clock,
      bytes,
      flops,
      gigabytesPerSecond: gigaPerSecond(bytes, totalMicroseconds),
      gigaflopsPerSecond: gigaPerSecond(flops, totalMicroseconds),
    };
  };
  return {
    add(cycle, { name, microseconds, clock, bytes, flops }) {
      let kernels = cycles.get(cycle);
      if (!kernels) cycles.set(cycle, (kernels = new Map<string, Sum>()));
      let sum = kernels.get(name);
      if (!sum) kernels.set(name, (sum = { microseconds: [], clock, bytes: 0, flops: 0 }));
      sum.microseconds.push(microseconds);
      sum.bytes += bytes;
      sum.flops += flops;
    },
    take(beforeCycle = Infinity) {
      const taken = [...cycles.keys()].filter((cycle) => cycle < beforeCycle).sort((a, b) => a - b);
      return taken.flatMap((cycle) => {
        const kernels = cycles.get(cycle);
        cycles.delete(cycle);
        return [...(kernels ?? [])].map(([name, sum]) => record(cycle, name, sum));
      });
    },
  };
}
