/**
 * Kernel times of a whole run in bounded memory: for each kernel what all its timed calls took together, the least and the most.
 * Sums are those of the cycles that were timed: over their number they are what a cycle takes.
 */
import type { KernelSample, Ceilings, BackendName } from '../compute/backend.ts';
import { median } from '../statistics/index.ts';

/**
 * What a kernel reached, from what it moved and computed by formula and how long it took by the clock, and how near that is
 * to what the machine can do. A time that is no longer than a step of its clock gives no rate.
 *
 * Calls of a kernel, added up.
 */
export interface KernelWork {
  readonly calls: number;
  readonly totalMicroseconds: number;
  readonly clock: 'device' | 'wall';
  /** Bytes of all calls together, by the operator's formulas. */
  readonly bytes: number;
  readonly flops: number;
}

export interface KernelRates {
  /** bytes and flops over the total time; null where the clock is too coarse. */
  readonly gigabytesPerSecond: number | null;
  readonly gigaflopsPerSecond: number | null;
  /** Which ceiling is the nearer one at this kernel's operations per byte; null if none is known or none applies. */
  readonly bound: 'bandwidth' | 'arithmetic' | null;
  /** Fraction of that ceiling; above 1 if caches were faster than the memory. Null if it is not known. */
  readonly fractionOfCeiling: number | null;
}

/** What a clock's step is taken to be where it is not known: the coarsest that a browser has. */
const UNKNOWN_TICK_MICROSECONDS = 100;
/** A rate is given where its standard deviation, by the clock alone, is a tenth of it at most. */
const LARGEST_DEVIATION = 0.1;

/**
 * Whether a clock that continues in steps has seen this work. Begin and end of each call are cut to a step, so that a call's
 * time is right in the mean and off by a triangular error of variance tick²/6; over n calls that adds up to tick √(n/6).
 */
export function isSeen({ calls, totalMicroseconds, clock }: KernelWork, ceilings: Ceilings | undefined): boolean {
  const tick = ceilings?.clock === clock ? ceilings.tickMicroseconds : UNKNOWN_TICK_MICROSECONDS;
  return totalMicroseconds > 0 && tick * Math.sqrt(calls / 6) <= LARGEST_DEVIATION * totalMicroseconds;
}

const UNKNOWN: KernelRates = {
  gigabytesPerSecond: null,
  gigaflopsPerSecond: null,
  bound: null,
  fractionOfCeiling: null,
};

/** Which ceiling is nearer: the one that would take longer for this work if it were reached. */
export function boundOf({ bytes, flops }: Pick<KernelWork, 'bytes' | 'flops'>, ceilings: Ceilings | undefined) {
  if (!ceilings || (bytes <= 0 && flops <= 0)) return null;
  return bytes / ceilings.copyGigabytesPerSecond >= flops / ceilings.fmaGigaflopsPerSecond ? 'bandwidth' : 'arithmetic';
}

/** @param ceilings of the machine that the work was done on, where they were measured */
export function ratesOf(work: KernelWork, ceilings: Ceilings | undefined): KernelRates {
  const bound = boundOf(work, ceilings);
  if (!isSeen(work, ceilings)) return { ...UNKNOWN, bound };
  const gigabytesPerSecond = work.bytes / work.totalMicroseconds / 1000;
  const gigaflopsPerSecond = work.flops / work.totalMicroseconds / 1000;
  const fractionOfCeiling =
    ceilings && bound
      ? Math.max(
          gigabytesPerSecond / ceilings.copyGigabytesPerSecond,
          gigaflopsPerSecond / ceilings.fmaGigaflopsPerSecond,
        )
      : null;
  return { gigabytesPerSecond, gigaflopsPerSecond, bound, fractionOfCeiling };
}

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

/**
 * The kernel log: what each kernel did in each cycle in which kernels were timed, and in all of these, added up from the single
 * timed runs. A cycle without records was not timed: where cycles are quick, only as many are as cost little. Bytes and
 * operations are counted by the operators' formulas, never measured; the clock says how the time was taken.
 *
 * One kernel in one cycle.
 */
export interface KernelRecord extends KernelTiming, KernelRates {
  readonly cycle: number;
  readonly backend: BackendName;
  readonly grid: readonly [nx: number, ny: number];
}

/** Where the kernels of a run were run. */
interface KernelPlace {
  readonly backend: BackendName;
  readonly grid: readonly [nx: number, ny: number];
  /** What the machine can do at most, where it was measured. */
  readonly ceilings: Ceilings | undefined;
}

interface KernelLog {
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
