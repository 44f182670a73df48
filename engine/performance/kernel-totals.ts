/**
 * Kernel times of a whole run in bounded memory: for each kernel what all its timed calls took together, the least and the most.
 * Sums are those of the cycles that were timed: over their number they are what a cycle takes.
 */
import type { KernelWork } from './kernel-rates.ts';
import type { KernelTiming } from './kernel-timing.ts';

/** One kernel over a whole run, by one clock. The mean time of a call is the total over the calls. */
export interface KernelTotal extends KernelWork {
  readonly name: string;
  readonly minimumMicroseconds: number;
  readonly maximumMicroseconds: number;
  /** Invocations along x, y, z in a workgroup; null if there are none. */
  readonly workgroup: readonly number[] | null;
}

export interface KernelTotals {
  /** Cycles that are in the totals: those that were timed. */
  readonly cycles: number;
  /** By first call. */
  readonly kernels: readonly KernelTotal[];
}

export const NO_KERNELS: KernelTotals = { cycles: 0, kernels: [] };

function keyOf({ name, clock }: Pick<KernelTotal, 'name' | 'clock'>): string {
  return `${clock} ${name}`;
}

function together(total: KernelTotal | undefined, timing: KernelTiming): KernelTotal {
  const { name, calls, minimumMicroseconds, maximumMicroseconds, totalMicroseconds, clock, bytes, flops, workgroup } =
    timing;
  if (!total) {
    return {
      name,
      calls,
      minimumMicroseconds,
      maximumMicroseconds,
      totalMicroseconds,
      clock,
      bytes,
      flops,
      workgroup,
    };
  }
  return {
    ...total,
    calls: total.calls + calls,
    minimumMicroseconds: Math.min(total.minimumMicroseconds, minimumMicroseconds),
    maximumMicroseconds: Math.max(total.maximumMicroseconds, maximumMicroseconds),
    totalMicroseconds: total.totalMicroseconds + totalMicroseconds,
    bytes: total.bytes + bytes,
    flops: total.flops + flops,
  };
}

/** @returns the totals with the kernels of some more cycles */
export function addTimings(
  { cycles, kernels }: KernelTotals,
  timings: readonly KernelTiming[],
  more = 1,
): KernelTotals {
  const byKey = new Map(kernels.map((total) => [keyOf(total), total]));
  for (const timing of timings) byKey.set(keyOf(timing), together(byKey.get(keyOf(timing)), timing));
  return { cycles: cycles + more, kernels: [...byKey.values()] };
}

/** @returns the totals without cycles that are done again. The least and the most of a kernel stay: they were seen. */
export function removeTimings(
  { cycles, kernels }: KernelTotals,
  timings: readonly KernelTiming[],
  fewer = 1,
): KernelTotals {
  const byKey = new Map(kernels.map((total) => [keyOf(total), total]));
  for (const timing of timings) {
    const total = byKey.get(keyOf(timing));
    if (!total) continue;
    const rest: KernelTotal = {
      ...total,
      calls: total.calls - timing.calls,
      totalMicroseconds: Math.max(0, total.totalMicroseconds - timing.totalMicroseconds),
      bytes: Math.max(0, total.bytes - timing.bytes),
      flops: Math.max(0, total.flops - timing.flops),
    };
    if (rest.calls > 0) byKey.set(keyOf(total), rest);
    else byKey.delete(keyOf(total));
  }
  return { cycles: Math.max(0, cycles - fewer), kernels: [...byKey.values()] };
}
