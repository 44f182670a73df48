/** The runs of a kernel in one cycle, added up from the single samples. */
import type { KernelSample } from '../compute/backend.ts';
import { median } from '../statistics/index.ts';
import type { KernelWork } from './kernel-rates.ts';

/** One kernel in one cycle, by one clock. */
export interface KernelTiming extends KernelWork {
  readonly name: string;
  readonly minimumMicroseconds: number;
  readonly medianMicroseconds: number;
  readonly maximumMicroseconds: number;
  /** Invocations along x, y, z in a workgroup; null if there are none. */
  readonly workgroup: readonly number[] | null;
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}

/** @returns one entry a kernel and clock, by first call */
export function timingsOf(samples: readonly KernelSample[]): KernelTiming[] {
  const groups = new Map<string, KernelSample[]>();
  for (const sample of samples) {
    const key = `${sample.clock} ${sample.name}`;
    const group = groups.get(key);
    if (group) group.push(sample);
    else groups.set(key, [sample]);
  }
  return [...groups.values()].map((group) => {
    const [{ name, clock, workgroup }] = group;
    const times = group.map(({ microseconds }) => microseconds);
    const totalMicroseconds = sumOf(times);
    return {
      name,
      calls: group.length,
      minimumMicroseconds: times.reduce((least, time) => Math.min(least, time)),
      medianMicroseconds: median(times),
      maximumMicroseconds: times.reduce((most, time) => Math.max(most, time)),
      totalMicroseconds,
      clock,
      bytes: sumOf(group.map(({ bytes }) => bytes)),
      flops: sumOf(group.map(({ flops }) => flops)),
      workgroup: workgroup ?? null,
    };
  });
}
