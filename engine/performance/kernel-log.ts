/**
 * The kernel log: what each kernel did in each cycle, added up from the single timed runs. Bytes and operations are counted
 * by the operators' formulas, never measured; the clock says how the time was taken.
 */
import type { BackendName, KernelSample } from '../compute/backend.ts';
import type { Ceilings } from './ceilings/index.ts';

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
  /** Invocations along x, y, z in a workgroup; null where there are none. */
  readonly workgroup: readonly number[] | null;
  /** The larger of its shares of the measured copy bandwidth and multiply-add rate; null where those are not known. */
  readonly fractionOfCeiling: number | null;
}

export interface KernelLog {
  /** What the machine can do at most: records taken from now on are measured against it. */
  compareWith(ceilings: Ceilings): void;
  add(cycle: number, sample: KernelSample): void;
  /** Hands out, and forgets, the records of all cycles before `cycle`, by cycle and then by first call. */
  take(beforeCycle?: number): KernelRecord[];
}

interface Sum {
  readonly workgroup: readonly number[] | undefined;
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
  let ceilings: Ceilings | undefined;
  const record = (cycle: number, name: string, { microseconds, clock, bytes, flops, workgroup }: Sum): KernelRecord => {
    const totalMicroseconds = microseconds.reduce((sum, value) => sum + value, 0);
    const gigabytesPerSecond = gigaPerSecond(bytes, totalMicroseconds);
    const gigaflopsPerSecond = gigaPerSecond(flops, totalMicroseconds);
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
      gigabytesPerSecond,
      gigaflopsPerSecond,
      workgroup: workgroup ?? null,
      fractionOfCeiling: ceilings
        ? Math.max(
            gigabytesPerSecond / ceilings.copyGigabytesPerSecond,
            gigaflopsPerSecond / ceilings.fmaGigaflopsPerSecond,
          )
        : null,
    };
  };
  return {
    compareWith(measured) {
      ceilings = measured;
    },
    add(cycle, { name, microseconds, clock, bytes, flops, workgroup }) {
      let kernels = cycles.get(cycle);
      if (!kernels) cycles.set(cycle, (kernels = new Map<string, Sum>()));
      let sum = kernels.get(name);
      if (!sum) kernels.set(name, (sum = { microseconds: [], clock, bytes: 0, flops: 0, workgroup }));
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
