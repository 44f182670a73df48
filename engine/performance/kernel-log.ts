/**
 * The kernel log: what each kernel did in each cycle in which kernels were timed, and in all of these, added up from the single
 * timed runs. A cycle without records was not timed: where cycles are quick, only as many are as cost little. Bytes and
 * operations are counted by the operators' formulas, never measured; the clock says how the time was taken.
 */
import type { BackendName, KernelSample } from '../compute/backend.ts';
import type { Ceilings } from '../compute/backend.ts';
import { ratesOf, timingsOf, addTimings, NO_KERNELS } from './kernel-totals.ts';
import type { KernelRates, KernelTiming, KernelTotals } from './kernel-totals.ts';

/** One kernel in one cycle. */
export interface KernelRecord extends KernelTiming, KernelRates {
  readonly cycle: number;
  readonly backend: BackendName;
  readonly grid: readonly [nx: number, ny: number];
}

/** Where the kernels of a run were run. */
export interface KernelPlace {
  readonly backend: BackendName;
  readonly grid: readonly [nx: number, ny: number];
  /** What the machine can do at most, where it was measured. */
  readonly ceilings: Ceilings | undefined;
}

export interface KernelLog {
  /** What the machine can do at most: records taken from now on are measured against it. */
  compareWith(ceilings: Ceilings): void;
  add(cycle: number, sample: KernelSample): void;
  /** Hands out, and forgets, the records of all cycles before `cycle`, by cycle and then by first call. */
  take(beforeCycle?: number): KernelRecord[];
  /** Totals of all that was handed out, and of what came before. */
  readonly totals: KernelTotals;
  readonly ceilings: Ceilings | undefined;
}

export function recordOf(
  cycle: number,
  { name, ...timing }: KernelTiming,
  { backend, grid, ceilings }: KernelPlace,
): KernelRecord {
  const { calls, minimumMicroseconds, medianMicroseconds, maximumMicroseconds } = timing;
  const { totalMicroseconds, clock, bytes, flops, workgroup } = timing;
  return {
    cycle,
    name,
    backend,
    grid,
    calls,
    minimumMicroseconds,
    medianMicroseconds,
    maximumMicroseconds,
    totalMicroseconds,
    clock,
    bytes,
    flops,
    ...ratesOf(timing, ceilings),
    workgroup,
  };
}

/** @param place `ceilings` and `totals` are those of the part of the run that came before */
export function createKernelLog(place: KernelPlace, before: KernelTotals = NO_KERNELS): KernelLog {
  const cycles = new Map<number, KernelSample[]>();
  let { ceilings } = place;
  let totals = before;
  return {
    get totals() {
      return totals;
    },
    get ceilings() {
      return ceilings;
    },
    compareWith(measured) {
      ceilings = measured;
    },
    add(cycle, sample) {
      const samples = cycles.get(cycle);
      if (samples) samples.push(sample);
      else cycles.set(cycle, [sample]);
    },
    take(beforeCycle = Infinity) {
      const taken = [...cycles.keys()].filter((cycle) => cycle < beforeCycle).sort((a, b) => a - b);
      return taken.flatMap((cycle) => {
        const timings = timingsOf(cycles.get(cycle) ?? []);
        cycles.delete(cycle);
        totals = addTimings(totals, timings);
        return timings.map((timing) => recordOf(cycle, timing, { ...place, ceilings }));
      });
    },
  };
}
