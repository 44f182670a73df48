/** Kernel times of a run, added up by kernel. */
import type { KernelSample } from '../../../engine/index.ts';

export interface KernelTotal {
  readonly name: string;
  readonly calls: number;
  readonly milliseconds: number;
  /** Of all kernels' time. */
  readonly share: number;
  /** Counted by the operators' formulas, over the time; 0 where the clock is too coarse. */
  readonly gigabytesPerSecond: number;
  readonly gigaflopsPerSecond: number;
  /** Taken by the device's own clock, or on the host's wall clock with what the queue adds. */
  readonly clock: 'device' | 'wall';
}

/** In 10⁹ a second. */
function perSecond(amount: number, microseconds: number): number {
  return microseconds > 0 ? amount / microseconds / 1000 : 0;
}

/** @returns one entry a kernel, the slowest first */
export function kernelTotals(samples: Iterable<KernelSample>): KernelTotal[] {
  interface Sum {
    calls: number;
    microseconds: number;
    bytes: number;
    flops: number;
    clock: 'device' | 'wall';
  }
  const sums = new Map<string, Sum>();
  let all = 0;
  for (const { name, microseconds, bytes, flops, clock } of samples) {
    let sum = sums.get(name);
    if (sum === undefined) sums.set(name, (sum = { calls: 0, microseconds: 0, bytes: 0, flops: 0, clock }));
    sum.calls += 1;
    sum.microseconds += microseconds;
    sum.bytes += bytes;
    sum.flops += flops;
    all += microseconds;
  }
  return [...sums]
    .map(([name, { calls, microseconds, bytes, flops, clock }]) => ({
      name,
      calls,
      milliseconds: microseconds / 1000,
      share: all > 0 ? microseconds / all : 0,
      gigabytesPerSecond: perSecond(bytes, microseconds),
      gigaflopsPerSecond: perSecond(flops, microseconds),
      clock,
    }))
    .sort((a, b) => b.milliseconds - a.milliseconds);
}
